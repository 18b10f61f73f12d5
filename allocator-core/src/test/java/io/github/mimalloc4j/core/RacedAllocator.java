package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.Block;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A {@link BlockAllocator} with one shared heap and at most one owned one. */
public final class RacedAllocator {

  /** How many allocations there were {@linkplain #withCounts() before the race}. */
  public static final long ALLOCATIONS = 2;

  /** A page of it has one slice. */
  private static final int BLOCK_BYTES = Slices.BYTES / 4;

  private static final int SEGMENT_BYTES = 4 * Slices.BYTES;

  private final BlockAllocator<StatefulBlock> heaps;

  /** What the executor was given and has not run. */
  private volatile @Nullable Runnable due;

  private volatile boolean ownerTold;
  private @Nullable Heap<StatefulBlock> acquired;
  private @Nullable StatefulBlock kept;
  private @Nullable Run room;

  private RacedAllocator(long trimDelayMillis) {
    SegmentSizing sizing = new SegmentSizing(SEGMENT_BYTES, SEGMENT_BYTES, 8);
    MemoryPolicy policy = new MemoryPolicy(sizing, Long.MAX_VALUE, 0, trimDelayMillis);
    heaps =
        new BlockAllocator<>(
            bytes -> () -> {},
            policy,
            1,
            (page, slot, memory, offset) -> new StatefulBlock(page, slot),
            (task, delay) -> due = task,
            releases -> {});
  }

  /** The race runs the upkeep. */
  public static RacedAllocator withUpkeep() {
    return new RacedAllocator(1);
  }

  /** Nothing is given back later. */
  public static RacedAllocator withoutUpkeep() {
    return new RacedAllocator(0);
  }

  /**
   * Nothing is given back later, and there is a segment with room, in which runs are claimed also
   * when the pool is closed.
   */
  public static RacedAllocator withRoom() {
    RacedAllocator heaps = new RacedAllocator(0);
    heaps.room = heaps.heaps.pool().claim(1);
    return heaps;
  }

  /**
   * One that {@linkplain #allocations() counted}: in a heap that was left, and in an empty page.
   */
  public static RacedAllocator withCounts() {
    RacedAllocator heaps = withUpkeep();
    heaps.acquire();
    heaps.acquired.allocate(BLOCK_BYTES).begin().release();
    heaps.abandon();
    heaps.use();
    return heaps;
  }

  /** One whose only owned heap was left, has no pages, and is due for upkeep. */
  public static RacedAllocator withEmptyHeap() {
    RacedAllocator heaps = withUpkeep();
    heaps.acquire();
    heaps.abandon();
    return heaps;
  }

  /** How many allocations there were. Any thread. */
  public long allocations() {
    return StatisticsReader.counts(heaps).allocations();
  }

  /** Takes a block as a thread that owns no heap and releases it; false if it was refused. */
  public boolean use() {
    try {
      heaps.allocateShared(BLOCK_BYTES).begin().release();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Takes a block for {@link #releaseKept}. */
  public void keep() {
    kept = heaps.allocateShared(BLOCK_BYTES).begin();
  }

  /** Releases the block that was kept, as a thread to which the heap is not biased. */
  public void releaseKept() {
    kept.releaseDeferred();
  }

  /** Makes the caller the owner of a heap; false if it was refused. */
  public boolean acquire() {
    try {
      acquired = heaps.acquire(this::executeOnOwner);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private void executeOnOwner(Runnable task, long delayMillis) {
    if (delayMillis == 0) { // else it is upkeep, which close() does not wait for
      ownerTold = true;
    }
  }

  /** Ends the ownership of the heap that was acquired. */
  public void abandon() {
    heaps.abandon(acquired);
  }

  /**
   * Whether the heap acquired last is not known, so that it will be left with its owner for ever.
   */
  public boolean isOwnerForgotten() {
    return acquired.owner() != null && !Arrays.asList(heaps.owned()).contains(acquired);
  }

  /** Whether an owner was told to look whether the allocator was closed. */
  public boolean isOwnerTold() {
    return ownerTold;
  }

  /** Whether a known heap has an owner. It has none, too, if the owner was found dead. */
  public boolean hasOwner() {
    return Arrays.stream(heaps.owned()).anyMatch(heap -> heap.owner() != null);
  }

  /** Whether there are heaps that are or were owned. */
  public boolean areOwnedThere() {
    return heaps.owned().length > 0;
  }

  /** Trims what nobody owns. */
  public void trim() {
    heaps.trim();
  }

  /** Runs the upkeep of what nobody owns if it was asked for; returns whether it was. */
  public boolean runUpkeep() {
    Runnable task = due;
    if (task == null) {
      return false;
    }
    due = null; // nothing else becomes due before it has begun
    task.run();
    return true;
  }

  /** Runs the upkeep as often as it is asked for. */
  public void finishUpkeep() {
    boolean more = true;
    while (more) {
      more = runUpkeep();
    }
  }

  public void close() {
    heaps.close();
  }

  /** Whether all memory went back to its source. */
  public boolean isNothingUsed() {
    if (room != null) {
      room.release();
      room = null;
    }
    return heaps.usedBytes() == 0;
  }

  private static final class StatefulBlock implements Block {

    private static final int FREE = 0;
    private static final int DEFERRED = -1;
    private static final int IN_USE = 1;

    private final Page<StatefulBlock> page;
    private final int slot;
    private final AtomicInteger state = new AtomicInteger(FREE);

    private StatefulBlock(Page<StatefulBlock> page, int slot) {
      this.page = page;
      this.slot = slot;
    }

    private StatefulBlock begin() {
      state.set(IN_USE);
      return this;
    }

    private void release() {
      if (!page.heap().releaseIfBiased(this, page, slot)) {
        releaseDeferred();
      }
    }

    private void releaseDeferred() {
      state.set(DEFERRED);
      Heap.releaseDeferred(page, slot);
    }

    @Override
    public boolean free(Page<?> in, int at) {
      return state.compareAndSet(IN_USE, FREE);
    }

    @Override
    public boolean reclaim(Page<?> in, int at) {
      return state.compareAndSet(DEFERRED, FREE);
    }

    @Override
    public boolean isDeferred(Page<?> in, int at) {
      return state.get() == DEFERRED;
    }
  }
}
