package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingLive;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of all kinds begin, allocate, hand over, release and end in every order. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class ThreadsTest {

  private static final int MIB = 1 << 20;

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);

  static ThreadKind[] kinds() {
    return ThreadKind.available();
  }

  static Stream<Arguments> pairsOfKinds() {
    return Stream.of(kinds()).flatMap(a -> Stream.of(kinds()).map(b -> Arguments.of(a, b)));
  }

  /** The heap that the buffer came from. */
  private static Heap<?> heapOf(ByteBuf buffer) {
    return ((MiMallocByteBuf) buffer).page().heap();
  }

  /** Buffers of both kinds and of many sizes, each stamped with its place in the list. */
  private List<ByteBuf> allocateMany() {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int bytes = 1; bytes < 400_000; bytes += 1 + bytes / 4) {
      for (boolean direct : new boolean[] {true, false}) {
        ByteBuf buffer = allocate(allocator, direct, bytes);
        Stamp.write(buffer, buffers.size());
        buffers.add(buffer);
      }
    }
    return buffers;
  }

  private static void checkAndRelease(List<ByteBuf> buffers) {
    for (int i = 0; i < buffers.size(); i++) {
      Stamp.check(buffers.get(i), i);
      assertThat(buffers.get(i).release()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void threadsOfExecutorsOwnAHeapAndAllOthersShareSome(ThreadKind kind) {
    ThreadKind.Running<Boolean> owning =
        kind.start(
            () -> {
              ByteBuf buffer = allocator.directBuffer(100);
              try {
                return heapOf(buffer).isOwner(Thread.currentThread());
              } finally {
                buffer.release();
              }
            });
    assertThat(owning.end()).isEqualTo(kind.ownsHeap());
    assertNothingHeld(allocator);
  }

  /** Nothing would tell that such a thread has ended, or could reach it while it is idle. */
  @Test
  void aFastThreadLocalThreadWithoutAnExecutorOwnsNoHeap() throws Exception {
    List<ByteBuf> buffers = Collections.synchronizedList(new ArrayList<>());
    Thread thread = new FastThreadLocalThread(() -> buffers.add(allocator.directBuffer(100)));
    thread.start();
    thread.join();
    assertThat(heapOf(buffers.get(0)).isOwner(thread)).isFalse();
    buffers.get(0).release();
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @MethodSource("pairsOfKinds")
  void buffersOfAnEndedThreadAreReleasedByAnother(ThreadKind allocating, ThreadKind releasing) {
    List<ByteBuf> live = allocating.call(this::allocateMany);
    assertSound(allocator);
    releasing.call(
        () -> {
          checkAndRelease(live);
          return null;
        });
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void buffersOfATerminatedGroupAreReleasedByTheThreadThatWaitedForIt(ThreadKind kind) {
    List<List<ByteBuf>> live = new ArrayList<>();
    try (ThreadKind.Group group = new ThreadKind.Group(kind, 3)) {
      for (int i = 0; i < 3; i++) {
        live.add(group.call(this::allocateMany));
      }
    }
    assertSound(allocator);
    live.forEach(ThreadsTest::checkAndRelease);
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void buffersOfALivingLoopAreReleasedByItsNeighbours(ThreadKind kind) {
    try (ThreadKind.Group group = new ThreadKind.Group(kind, 3)) {
      for (int round = 0; round < 30; round++) {
        List<ByteBuf> live = group.call(this::allocateMany);
        group.call(
            () -> {
              checkAndRelease(live);
              return null;
            });
      }
      assertNothingLive(allocator);
    }
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @MethodSource("pairsOfKinds")
  void aBufferGrownByOneThreadIsReleasedByAThird(ThreadKind growing, ThreadKind releasing) {
    try (ThreadKind.Group owner = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 1)) {
      List<ByteBuf> live = owner.call(this::allocateMany);
      growing.call(
          () -> {
            for (int i = 0; i < live.size(); i++) {
              ByteBuf buffer = live.get(i);
              int before = buffer.capacity();
              buffer.capacity(before * 3);
              Stamp.check(buffer, i, 0, before);
              Stamp.write(buffer, i);
            }
            return null;
          });
      assertSound(allocator);
      releasing.call(
          () -> {
            checkAndRelease(live);
            return null;
          });
      assertNothingLive(allocator);
      // The blocks that were left behind are used again by their owner.
      checkAndRelease(owner.call(this::allocateMany));
      assertNothingLive(allocator);
    }
    assertNothingHeld(allocator);
  }

  /** A living thread is left without a heap, with buffers of its former heap in its hands. */
  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void aLivingLoopSurvivesTheRemovalOfItsThreadLocals(ThreadKind kind) {
    try (ThreadKind.Group group = new ThreadKind.Group(kind, 1)) {
      for (int round = 0; round < 20; round++) {
        group.call(
            () -> {
              List<ByteBuf> before = allocateMany();
              FastThreadLocal.removeAll();
              assertSound(allocator);
              List<ByteBuf> after = allocateMany();
              checkAndRelease(before);
              checkAndRelease(after);
              return null;
            });
        assertNothingLive(allocator);
      }
      assertThat(allocator.metric().usedDirectMemory()).isLessThan(32 * MIB);
    }
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @CsvSource({"EVENT_EXECUTOR, 1000", "NIO_EVENT_LOOP, 300"})
  void loopsThatEndedHoldNoMemory(ThreadKind kind, int loops) {
    List<ByteBuf> live = new ArrayList<>();
    for (int i = 0; i < loops; i++) {
      live.addAll(
          kind.call(
              () -> {
                for (int n = 0; n < 40; n++) {
                  allocator.directBuffer(1 + n * 1000).release();
                }
                return List.of(allocator.directBuffer(64), allocator.heapBuffer(20_000));
              }));
      if (live.size() > 20) { // released by main, long after their thread has ended
        live.remove(0).release();
        live.remove(0).release();
      }
      assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(2 * MIB);
    }
    live.forEach(ByteBuf::release);
    assertThat(allocator.metric().usedDirectMemory())
        .as("without a call")
        .isLessThanOrEqualTo((long) Runtime.getRuntime().availableProcessors() << 19);
    assertNothingHeld(allocator);
  }

  @Test
  void tasksOfAPoolOfPlainThreadsReleaseEachOthersBuffers() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(16);
    useFromMany(pool, 200);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void virtualThreadsReleaseEachOthersBuffers() throws Exception {
    ExecutorService perTask =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    useFromMany(perTask, 200);
  }

  /** Each task releases what another one has allocated. */
  private void useFromMany(ExecutorService executor, int tasks) throws Exception {
    ConcurrentLinkedQueue<List<ByteBuf>> handed = new ConcurrentLinkedQueue<>();
    Callable<Void> task =
        () -> {
          handed.add(allocateMany());
          Thread.yield();
          checkAndRelease(handed.remove());
          return null;
        };
    List<Future<Void>> futures = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      futures.add(executor.submit(task));
    }
    for (Future<Void> future : futures) {
      future.get();
    }
    executor.shutdown();
    assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertNothingHeld(allocator);
  }

  /** Not even where it has other thread-locals of Netty's, as a server's worker often has. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadWithoutAHeapKeepsNoAllocator(boolean fastThreadLocals) throws Exception {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              new FastThreadLocal<Integer>().set(1);
              WeakReference<MiMallocByteBufAllocator> unused = allocateWithAnother();
              Patience.awaitCleared(List.of(unused));
              return null;
            });
    (fastThreadLocals ? new FastThreadLocalThread(task) : new Thread(task)).start();
    task.get();
  }

  private static WeakReference<MiMallocByteBufAllocator> allocateWithAnother() {
    MiMallocByteBufAllocator another = new MiMallocByteBufAllocator(true);
    another.directBuffer(100).release();
    another.trim();
    return new WeakReference<>(another);
  }
}
