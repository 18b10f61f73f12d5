package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.SegmentSizing;

/**
 * An abandoned heap from which a large block was allocated that is still in use, and that the next
 * owner's heap would keep if that owner released it.
 */
public final class RacedKeptPage {

  private static final int BYTES = 2 * SizeClasses.MAX_BLOCK_BYTES;
  private static final MemoryPolicy POLICY =
      new MemoryPolicy(new SegmentSizing(2 * BYTES, 2 * BYTES, 8), Long.MAX_VALUE, 0, 0);

  private final SegmentPool pool =
      new SegmentPool(bytes -> () -> {}, POLICY, () -> {}, SegmentListener.NONE);
  private final Heap<UsedBlock> heap;
  private final UsedBlock first;

  /** The block that the owner has in the end. */
  private UsedBlock last;

  public RacedKeptPage() {
    BlockFactory<UsedBlock> factory = (page, slot, memory, offset) -> new UsedBlock(page);
    HeapResources<UsedBlock> resources =
        new HeapResources<>(
            pool,
            new LargePages<>(pool, factory),
            factory,
            new PageStealer(() -> new Heap<?>[0], () -> new Heap<?>[0]),
            () -> {},
            () -> {},
            0,
            1,
            Upkeep.NONE,
            () -> {});
    Thread creator = Thread.currentThread();
    heap = Heap.owned(resources, creator, (task, delay) -> {});
    first = heap.allocate(BYTES);
    heap.abandon(creator);
  }

  /** Uses the first block for the last time and releases it. Not the owner. */
  public void releaseElsewhere() {
    first.uses++;
    Heap.releaseDeferred(first.page, 0);
  }

  /**
   * Makes the calling thread the owner, which takes a block, releases it, and takes one again.
   *
   * @return whether it got the block that it had released
   */
  public boolean takeTwice() {
    if (!heap.adopt(Thread.currentThread(), (task, delay) -> {})) {
      throw new IllegalStateException("the lock is taken, and nobody else needs it");
    }
    UsedBlock block = heap.allocate(BYTES);
    block.used += block.uses; // plain: what the user before has written
    Heap.releaseDeferred(block.page, 0);
    last = heap.allocate(BYTES);
    return last == block;
  }

  /** At rest, what became of the first block. */
  public String fate() {
    heap.pages().trim();
    if (pool.claimedBytes() != BYTES) {
      return pool.claimedBytes() + " bytes are claimed";
    }
    if (last != first) {
      return "given back";
    }
    return first.used == 1 ? "taken after its last use" : "taken before its last use";
  }

  /** Counts its uses in plain fields: what the allocator does is what orders them. */
  private static final class UsedBlock implements Block {

    private final Page<UsedBlock> page;
    private int uses;
    private int used;

    private UsedBlock(Page<UsedBlock> page) {
      this.page = page;
    }

    @Override
    public boolean reclaim(Page<?> in, int at) {
      throw new AssertionError("a large page has no owner to reclaim its block");
    }

    @Override
    public boolean isDeferred(Page<?> in, int at) {
      throw new AssertionError("a large page is never stolen");
    }
  }
}
