package io.github.mimalloc4j.core.heap;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import org.jspecify.annotations.Nullable;

/**
 * An abandoned heap from which two large blocks were allocated that are still in use. The heap
 * keeps their pages if its next owner releases them. There is room for a third one.
 */
public final class RacedKeptPage {

  private static final int BYTES = 2 * SizeClasses.MAX_BLOCK_BYTES;
  private static final MemoryPolicy POLICY =
      new MemoryPolicy(new SegmentSizing(3 * BYTES, 3 * BYTES, 8), Long.MAX_VALUE, 0, 0);

  private final SegmentPool pool =
      new SegmentPool(bytes -> () -> {}, POLICY, () -> {}, SegmentListener.NONE);
  private final Heap<UsedBlock> heap;
  private final UsedBlock first;
  private final UsedBlock second;

  /** The block that the owner has in the end. */
  private @Nullable UsedBlock last;

  public RacedKeptPage() {
    BlockFactory<UsedBlock> factory = (page, slot, memory, offset) -> new UsedBlock(page);
    PageStealer stealer = new PageStealer(() -> new Heap<?>[0], () -> new Heap<?>[0]);
    HeapResources<UsedBlock> resources =
        new HeapResources<>(
            pool,
            new LargePages<>(pool, factory, stealer),
            factory,
            stealer,
            () -> {},
            () -> {},
            0,
            1,
            Upkeep.NONE,
            () -> {});
    Thread creator = Thread.currentThread();
    heap = Heap.owned(resources, creator, (task, delay) -> {});
    first = heap.allocate(BYTES);
    second = heap.allocate(BYTES);
    heap.abandon(creator);
  }

  /** Makes the calling thread the owner. */
  public void own() {
    if (!heap.adopt(Thread.currentThread(), (task, delay) -> {})) {
      throw new IllegalStateException("the lock is taken, and nobody else needs it");
    }
  }

  /** Uses the first block for the last time and releases it. Any thread. */
  public void releaseFirst() {
    first.uses++;
    Heap.releaseDeferred(first.page, 0);
  }

  /** Releases the second block. Any thread. */
  public void releaseSecond() {
    Heap.releaseDeferred(second.page, 0);
  }

  /** Takes a block. The owner only. */
  public void take() {
    UsedBlock block = heap.allocate(BYTES);
    block.used = block.uses; // plain: what the user before has written
    last = block;
  }

  /** Releases the second block, then takes a block; returns whether it was the same. The owner. */
  public boolean releaseAndTake() {
    releaseSecond();
    take();
    return last == second;
  }

  /** Gives back what the heap keeps; returns whether it kept any. Any thread. */
  public boolean steal() {
    return heap.giveBackKeptLarge();
  }

  /** At rest, what became of the blocks: {@code right}, or what is wrong. */
  public String fate(int blocksInUse) {
    heap.pages().trim();
    UsedBlock block = requireNonNull(last);
    if (!block.page.run.isClaimed()) {
      return "the slices of a block in use were given back";
    }
    if (pool.claimedBytes() != (long) blocksInUse * BYTES) {
      return pool.claimedBytes() + " bytes are claimed";
    }
    return block.used == block.uses ? "right" : "taken before its last use";
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
      throw new AssertionError("a large page is never stolen like a page of a heap");
    }
  }
}
