package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.SegmentSizing;

/**
 * {@link LargePages} with a block in use, in a segment with room for another one. Blocks forget
 * their memory while they are free.
 */
public final class RacedLargeBlock {

  private static final int BYTES = 2 * SizeClasses.MAX_BLOCK_BYTES;

  private final SegmentPool pool =
      new SegmentPool(
          bytes -> new CollectedMemory(),
          new MemoryPolicy(new SegmentSizing(2 * BYTES, 2 * BYTES, 8), Long.MAX_VALUE, 0, 0),
          () -> {},
          SegmentListener.NONE);
  private final LargePages<UsedBlock> large =
      new LargePages<>(
          pool, (page, slot, memory, offset) -> new UsedBlock(page), LoneHeap.stealer());
  private final UsedBlock first = large.allocate(BYTES, null, () -> true);
  private int seen;

  /** Writes to the block and releases it. */
  public void useAndRelease() {
    first.uses++;
    Heap.releaseDeferred(first.page, 0);
  }

  /** Takes a block of the same size: whether it is the same one, or else has other slices. */
  public boolean takeAnother() {
    UsedBlock block = large.allocate(BYTES, null, () -> true);
    seen = block.uses;
    block.uses = 0;
    return block == first;
  }

  /** Whether the last use was over when the block was taken again. */
  public boolean isUseOver() {
    return seen == 1 && first.uses == 0;
  }

  /** At rest, whether the block that was taken again has its memory. */
  public boolean hasMemory() {
    return first.hasMemory;
  }

  /** At rest, whether just the slices of the block that was taken are claimed. */
  public boolean isOneInUse() {
    return pool.claimedBytes() == BYTES;
  }

  private static final class CollectedMemory implements Memory {

    @Override
    public void free() {}

    @Override
    public boolean isFreedByCollector() {
      return true;
    }
  }
}
