package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.Invariants;
import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.core.memory.Slices;
import io.github.mimalloc4j.netty.options.Options;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import io.github.mimalloc4j.netty.threads.UpkeepThread;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * What only the allocator's own package can see, for programs that pause to look at it, or replace
 * its heaps. This module is never on a module path, so that it may add to the package.
 */
public final class AllocatorAtRest {

  private AllocatorAtRest() {}

  /**
   * Walks all heaps, pages and segments, and then looks at more. No thread allocates, releases or
   * ends meanwhile. Upkeep in the background waits, since it is its thread that looks: a block that
   * it is about to collect would count as live.
   *
   * @throws AssertionError if an invariant does not hold
   */
  public static void check(MiMallocByteBufAllocator allocator, Runnable more)
      throws InterruptedException {
    FutureTask<?> look =
        new FutureTask<>(
            () -> {
              Invariants.check(allocator.directHeaps().blockAllocator());
              Invariants.check(allocator.arrayHeaps().blockAllocator());
              more.run();
            },
            null);
    UpkeepThread.execute(look, 0);
    try {
      look.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException found) {
        throw found;
      }
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * Makes an allocator with a limit, of heaps of one's own.
   *
   * @param maxBytes of direct and of heap memory each
   * @param whenOutOfMemory is told of each allocation that fails because memory ran out
   */
  public static MiMallocByteBufAllocator of(
      ThreadHeaps.Factory heaps, long maxBytes, Consumer<OutOfMemoryEvent> whenOutOfMemory) {
    return MiMallocByteBufAllocator.builder()
        .preferDirect(true)
        .maxDirectMemory(maxBytes)
        .maxHeapMemory(maxBytes)
        .outOfMemoryListener(whenOutOfMemory)
        .heaps(heaps)
        .build();
  }

  /**
   * The bytes that a block takes from its page or, if it is too large to share one, from the pool.
   *
   * @param blockBytes how far a buffer in the block can grow without moving
   */
  public static long pinnedBytes(int blockBytes) {
    boolean hasSlices =
        blockBytes > SizeClasses.MAX_BLOCK_BYTES && blockBytes <= Options.MAX_SEGMENT_BYTES.value();
    if (!hasSlices) {
      return blockBytes;
    }
    long slice = Slices.BYTES;
    return (blockBytes + slice - 1) / slice * slice;
  }

  /** The bytes that an allocator keeps by default when nothing needs them, of each kind. */
  public static long defaultRetainedTarget() {
    return Options.RETAINED_TARGET.value();
  }

  /** How long free memory waits for reuse by default, in milliseconds. */
  public static long defaultTrimDelayMillis() {
    return Options.TRIM_DELAY_MILLIS.value();
  }
}
