package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.threads.UpkeepThread;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** What happens to memory when nobody calls the allocator. */
public final class Idle {

  /** For allocators of tests that wait for upkeep. */
  public static final int TRIM_DELAY_MILLIS = 20;

  /** What an allocator may keep by default, of each kind of memory. */
  public static final int RETAINED_BYTES = 512 << 10;

  private Idle() {}

  public static MiMallocByteBufAllocator newAllocator() {
    return MiMallocByteBufAllocator.builder().trimDelayMillis(TRIM_DELAY_MILLIS).build();
  }

  /** An allocator that keeps nothing, so that each byte that does not come back shows. */
  public static MiMallocByteBufAllocator newAllocatorThatRetainsNothing() {
    return MiMallocByteBufAllocator.builder()
        .trimDelayMillis(TRIM_DELAY_MILLIS)
        .retainedTarget(0)
        .build();
  }

  /**
   * An allocator for tests that upkeep would disturb by a heap's lock, or by giving memory back.
   */
  public static MiMallocByteBufAllocator newAllocatorWithoutUpkeep() {
    return MiMallocByteBufAllocator.builder()
        .preferDirect(true)
        .trimDelayMillis(TimeUnit.HOURS.toMillis(1))
        .build();
  }

  /** Waits, without a call that could give memory back, until so little of either kind is used. */
  public static void awaitUsed(MiMallocByteBufAllocator allocator, long mostBytes) {
    Patience.await()
        .untilAsserted(
            () -> {
              assertThat(used(allocator, true)).as("direct").isLessThanOrEqualTo(mostBytes);
              assertThat(used(allocator, false)).as("heap").isLessThanOrEqualTo(mostBytes);
            });
  }

  /**
   * Waits until the upkeep thread has done what is due by now, and what that led to. Its tasks run
   * in the order of their times, so one that is due later than theirs comes after them.
   */
  public static void awaitUpkeep() {
    awaitUpkeep(3 * TRIM_DELAY_MILLIS);
  }

  /** Waits until the upkeep thread has done what is due in less than that many milliseconds. */
  public static void awaitUpkeep(int millis) {
    FutureTask<?> later = new FutureTask<>(() -> {}, null);
    UpkeepThread.execute(later, millis);
    try {
      later.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
