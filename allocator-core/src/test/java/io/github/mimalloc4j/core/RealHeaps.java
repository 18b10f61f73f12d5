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

/** {@link BlockAllocator} as the races see them. */
public final class RealHeaps implements HeapsView {

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

  private RealHeaps(long trimDelayMillis) {
    SegmentSizing sizing = new SegmentSizing(SEGMENT_BYTES, SEGMENT_BYTES, 8);
    MemoryPolicy policy = new MemoryPolicy(sizing, Long.MAX_VALUE, 0, trimDelayMillis);
    heaps =
        new BlockAllocator<>(
            bytes -> () -> {},
            policy,
            1,
            (page, slot, memory, offset) -> new StatefulBlock(page, slot),
            (task, delay) -> due = task,
            () -> {});
  }

  /** The race runs the upkeep. */
  public static RealHeaps withUpkeep() {
    return new RealHeaps(1);
  }

  /** Nothing is given back later. */
  public static RealHeaps withoutUpkeep() {
    return new RealHeaps(0);
  }

  /**
   * Nothing is given back later, and there is a segment with room, in which runs are claimed also
   * when the pool is closed.
   */
  public static RealHeaps withRoom() {
    RealHeaps heaps = new RealHeaps(0);
    heaps.room = heaps.heaps.pool().claim(1);
    return heaps;
  }

  /** Its counts, when a heap was left and a shared one has an empty page. */
  public static CountsView counts() {
    RealHeaps real = withUpkeep();
    real.acquire();
    real.acquired.allocate(BLOCK_BYTES).begin().release();
    real.abandon();
    real.use();
    return new CountsView() {
      @Override
      public void keepUp() {
        real.runUpkeep();
      }

      @Override
      public long allocations() {
        return StatisticsReader.counts(real.heaps).allocations();
      }
    };
  }

  @Override
  public boolean use() {
    try {
      heaps.allocateShared(BLOCK_BYTES).begin().release();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Override
  public void keep() {
    kept = heaps.allocateShared(BLOCK_BYTES).begin();
  }

  @Override
  public void releaseKept() {
    kept.release();
  }

  @Override
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

  @Override
  public void abandon() {
    heaps.abandon(acquired);
  }

  @Override
  public boolean isOwnerForgotten() {
    return acquired.owner() != null && !Arrays.asList(heaps.owned()).contains(acquired);
  }

  @Override
  public boolean isOwnerTold() {
    return ownerTold;
  }

  @Override
  public boolean hasOwner() {
    return Arrays.stream(heaps.owned()).anyMatch(heap -> heap.owner() != null);
  }

  @Override
  public void trim() {
    heaps.trim();
  }

  @Override
  public boolean runUpkeep() {
    Runnable task = due;
    if (task == null) {
      return false;
    }
    due = null; // nothing else becomes due before it has begun
    task.run();
    return true;
  }

  @Override
  public void close() {
    heaps.close();
  }

  @Override
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
      state.set(DEFERRED);
      Heap.releaseDeferred(page, slot);
    }

    @Override
    public boolean reclaim() {
      return state.compareAndSet(DEFERRED, FREE);
    }
  }
}
