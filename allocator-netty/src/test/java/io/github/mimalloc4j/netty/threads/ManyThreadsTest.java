package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingLive;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.memory.JavaHeap;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.Together;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import io.netty.util.NettyRuntime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After ten thousand threads of a kind, an allocator is as it was after the first few. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class ManyThreadsTest {

  private static final int MIB = 1 << 20;
  private static final int THREADS = 10_000;
  private static final int THREADS_AT_A_TIME = 20;
  private static final long SEGMENT_PER_CORE = (512L << 10) * NettyRuntime.availableProcessors();

  private final MiMallocByteBufAllocator allocator = Idle.newAllocator();

  static Stream<ThreadKind> kinds() {
    return Stream.of(ThreadKind.available());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void threadsThatEndedHoldNothing(ThreadKind kind) {
    // The next test is the harder one.
    startAll(
        kind,
        THREADS / 4,
        () -> {
          allocateSome().forEach(ByteBuf::release);
          return null;
        });
    assertAsAtFirst();
  }

  /** Up to two thousand of them have ended with live buffers at a time. */
  @ParameterizedTest
  @MethodSource("kinds")
  void threadsThatEndedWithLiveBuffersHoldNothingAfterTheirRelease(ThreadKind kind) {
    ConcurrentLinkedQueue<List<ByteBuf>> left = new ConcurrentLinkedQueue<>();
    AtomicLong count = new AtomicLong();
    startAll(
        kind,
        THREADS,
        () -> {
          List<ByteBuf> some = allocateSome();
          some.remove(3).release();
          left.add(some);
          if (count.incrementAndGet() > 2_000) {
            left.remove().forEach(ByteBuf::release);
          }
          return null;
        });
    assertSound(allocator);
    left.forEach(buffers -> buffers.forEach(ByteBuf::release));
    assertAsAtFirst();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void aHundredThousandVirtualThreadsHoldNothing() throws Exception {
    ArrayDeque<Future<List<ByteBuf>>> live = new ArrayDeque<>();
    ExecutorService perTask =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    for (int n = 0; n < 100_000; n++) {
      live.add(perTask.submit(this::allocateSome));
      if (live.size() > 1_000) {
        List<ByteBuf> received = live.remove().get();
        perTask.execute(() -> received.forEach(ByteBuf::release));
      }
    }
    for (Future<List<ByteBuf>> each : live) {
      each.get().forEach(ByteBuf::release);
    }
    perTask.shutdown();
    assertThat(perTask.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertAsAtFirst();
  }

  /** All are there at the same time, and each releases what another one has stamped. */
  @Test
  void aPoolOfFiveHundredPlainThreadsUsesWhatIsLiveAndGivesItBack() throws Exception {
    int threads = 500;
    int rounds = 200;
    ConcurrentLinkedQueue<StampedBuffer> handed = new ConcurrentLinkedQueue<>();
    AtomicLong lastId = new AtomicLong();
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      SplittableRandom random = new SplittableRandom(thread);
      tasks.add(
          () -> {
            long mostUsed = 0;
            for (int round = 0; round < rounds; round++) {
              boolean direct = random.nextInt(4) != 0;
              int bytes = random.nextInt(20) == 0 ? 10_000 : 1 + random.nextInt(1_000);
              ByteBuf buffer = allocate(allocator, direct, bytes);
              handed.add(new StampedBuffer(buffer, lastId.incrementAndGet()));
              StampedBuffer received = round == 0 ? null : handed.poll();
              if (received != null) {
                received.checkAndRelease();
              }
              mostUsed = Math.max(mostUsed, used(allocator, true));
            }
            return mostUsed;
          });
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long mostUsed = 0;
    for (Future<Long> each : pool.invokeAll(tasks)) {
      mostUsed = Math.max(mostUsed, each.get());
    }
    assertThat(mostUsed).isLessThanOrEqualTo(16 * MIB);
    assertSound(allocator);
    handed.forEach(StampedBuffer::checkAndRelease);
    Idle.awaitUsed(allocator, Idle.RETAINED_BYTES); // its threads live on
    pool.shutdown();
    assertNothingHeld(allocator);
  }

  /** However many allocate at the same time. */
  @Test
  void threadsShareNoMoreHeapsThanTheOptionAllows() {
    MiMallocByteBufAllocator limited =
        MiMallocByteBufAllocator.builder().maxSharedThreadHeaps(1).build();
    Callable<Void> task =
        () -> {
          for (int i = 0; i < 50_000; i++) {
            allocate(limited, i % 2 == 0, 1_000).release();
          }
          return null;
        };
    Together.on(ThreadKind.PLAIN, Collections.nCopies(8, task));
    assertThat(JavaHeap.countOf(Heap.class, limited))
        .as("heaps: one for direct and one for heap buffers")
        .isEqualTo(2);
    assertNothingHeld(limited);
  }

  private record StampedBuffer(ByteBuf buffer, long id) {
    StampedBuffer {
      Stamp.write(buffer, id);
    }

    void checkAndRelease() {
      Stamp.check(buffer, id);
      if (!buffer.release()) {
        throw new AssertionError("somebody else holds it: " + buffer);
      }
    }
  }

  /** A few at a time, each a thread of its own, up to their end. */
  private static void startAll(ThreadKind kind, int threads, Callable<Void> task) {
    ArrayDeque<ThreadKind.Running<Void>> running = new ArrayDeque<>();
    for (int n = 0; n < threads; n++) {
      running.add(kind.start(task));
      if (running.size() == THREADS_AT_A_TIME) {
        running.remove().end();
      }
    }
    running.forEach(ThreadKind.Running::end);
  }

  private List<ByteBuf> allocateSome() {
    List<ByteBuf> some = new ArrayList<>();
    some.add(allocator.directBuffer(100));
    some.add(allocator.heapBuffer(1_500));
    some.add(allocator.directBuffer(5_000));
    some.add(allocator.directBuffer(200_000));
    return some;
  }

  private void assertAsAtFirst() {
    Idle.awaitUsed(allocator, SEGMENT_PER_CORE);
    Idle.awaitUpkeep(); // which forgets heaps of ended threads
    assertNothingLive(allocator);
    assertThat(JavaHeap.countOf(Heap.class, allocator))
        .as("heaps, which are the shared ones alone")
        .isLessThanOrEqualTo(2 * 2 * NettyRuntime.availableProcessors());
    assertNothingHeld(allocator);
  }
}
