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

  /** How often that block had been used when the owner took it. */
  private int seen;

  public RacedKeptPage() {
    HeapResources<UsedBlock> resources =
        LoneHeap.resources(pool, (page, slot, memory, offset) -> new UsedBlock(page), 0, 1);
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
    last = heap.allocate(BYTES);
    seen = last.uses;
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

  /** At rest, with one block in use, what became of them: {@code right}, or what is wrong. */
  public String fate() {
    heap.pages().trim();
    UsedBlock block = requireNonNull(last);
    if (!block.page.run.isClaimed()) {
      return "the slices of a block in use were given back";
    }
    if (pool.claimedBytes() != BYTES) {
      return pool.claimedBytes() + " bytes are claimed";
    }
    return seen == block.uses ? "right" : "taken before its last use";
  }
}
