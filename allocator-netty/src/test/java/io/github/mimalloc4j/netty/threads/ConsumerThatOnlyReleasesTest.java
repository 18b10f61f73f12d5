package io.github.mimalloc4j.netty.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One thread only allocates, and never gets to its other tasks; another one only releases. What is
 * used is bounded by what is live, for all sizes.
 */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class ConsumerThatOnlyReleasesTest {

  private static final int MIB = 1 << 20;

  /** A page of the largest blocks that share one. */
  private static final int PAGE_BYTES = 4 * SizeClasses.MAX_BLOCK_BYTES;

  private static final int LARGEST_OF_A_BURST = 200_000;

  static Stream<Arguments> ownersAndConsumers() {
    return Stream.of(ThreadKind.NIO_EVENT_LOOP, ThreadKind.PLAIN)
        .flatMap(
            owner ->
                Stream.of(ThreadKind.available())
                    .filter(consumer -> consumer != ThreadKind.EVENT_EXECUTOR)
                    .map(consumer -> Arguments.of(owner, consumer)));
  }

  /** One of each size class, some large ones, and one beyond the largest segment. */
  private static IntStream sizes() {
    return IntStream.concat(
        IntStream.range(0, SizeClasses.count()).map(SizeClasses::blockBytes),
        IntStream.of(200_000, 2 * MIB, 9 * MIB));
  }

  @ParameterizedTest
  @MethodSource("ownersAndConsumers")
  void oneLiveBufferAtATimeUsesOnePageMoreThanItself(ThreadKind owner, ThreadKind consumer) {
    allocateAndRelease(
        owner,
        consumer,
        handOver -> {
          for (int bytes : sizes().toArray()) {
            assertThat(handOver.peak(bytes, 1, rounds(bytes, 200)))
                .as("peak with one live buffer of %s bytes", bytes)
                .isLessThanOrEqualTo(bytes + PAGE_BYTES);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("ownersAndConsumers")
  void burstsUseLittleMoreThanThemselves(ThreadKind owner, ThreadKind consumer) {
    int burst = 100;
    allocateAndRelease(
        owner,
        consumer,
        handOver -> {
          for (int bytes : sizes().filter(size -> size <= LARGEST_OF_A_BURST).toArray()) {
            assertThat(handOver.peak(bytes, burst, rounds(bytes * burst, 2000)))
                .as("peak with %s live buffers of %s bytes", burst, bytes)
                .isLessThanOrEqualTo((long) bytes * burst * 5 / 4 + PAGE_BYTES);
          }
        });
  }

  /** So many that the bounds would not hold if nothing came back, within reason. */
  private static int rounds(int bytes, int most) {
    return Math.max(20, Math.min(most, 4 * PAGE_BYTES / bytes));
  }

  private interface Owner {
    void allocate(HandOver handOver) throws InterruptedException;
  }

  private static void allocateAndRelease(ThreadKind owner, ThreadKind consumer, Owner task) {
    HandOver handOver = new HandOver();
    ThreadKind.Running<Void> releasing = consumer.start(handOver::releaseAll);
    owner.call(
        () -> {
          try {
            task.allocate(handOver);
          } finally {
            handOver.end();
          }
          return null;
        });
    releasing.end();
  }

  /** From the owner to the consumer and, to say that all were released, back. */
  private static final class HandOver {
    private static final ByteBuf[] END = {};

    private final SynchronousQueue<ByteBuf[]> allocated = new SynchronousQueue<>();
    private final SynchronousQueue<ByteBuf[]> released = new SynchronousQueue<>();

    Void releaseAll() throws InterruptedException {
      for (ByteBuf[] next = allocated.take(); next != END; next = allocated.take()) {
        for (ByteBuf buffer : next) {
          buffer.release();
        }
        released.put(next);
      }
      return null;
    }

    void end() throws InterruptedException {
      allocated.put(END);
    }

    /**
     * Allocates and hands over again and again, and returns the most that was used. With an
     * allocator for each size, the sizes cannot help each other out.
     */
    long peak(int bytes, int burst, int rounds) throws InterruptedException {
      MiMallocByteBufAllocator allocator = Idle.newAllocatorWithoutUpkeep();
      long peak = 0;
      for (int round = 0; round < rounds; round++) {
        ByteBuf[] buffers = new ByteBuf[burst];
        for (int n = 0; n < burst; n++) {
          buffers[n] = allocator.directBuffer(bytes);
        }
        peak = Math.max(peak, allocator.metric().usedDirectMemory());
        allocated.put(buffers);
        released.take();
      }
      return peak;
    }
  }
}
