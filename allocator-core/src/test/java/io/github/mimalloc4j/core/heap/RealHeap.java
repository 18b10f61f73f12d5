package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.PoolInvariants;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link Heap} of which the races see the first page: four blocks, 0 to 3. */
public final class RealHeap implements HeapView {

  private static final int BLOCK_BYTES = Slices.BYTES;
  private static final int PAGE_SLICES = 4;

  private static final MemoryPolicy POLICY =
      new MemoryPolicy(
          new SegmentSizing(PAGE_SLICES * Slices.BYTES, 1 << 20, 8), Long.MAX_VALUE, 0, 1);

  /** The race runs it. */
  private static final UpkeepExecutor EXECUTOR = (task, delay) -> {};

  private final Thread firstOwner = Thread.currentThread();
  private final SegmentPool pool =
      new SegmentPool(bytes -> () -> {}, POLICY, () -> {}, SegmentListener.NONE);
  private final Heap<CountingBlock> heap;
  private final Page<CountingBlock> page;

  private RealHeap(boolean shared, int blocksInUse) {
    BlockFactory<CountingBlock> factory =
        (page, slot, memory, offset) -> new CountingBlock(page, slot);
    HeapResources<CountingBlock> resources =
        new HeapResources<>(
            pool,
            new LargePages<>(pool, factory),
            factory,
            () -> {},
            POLICY.trimDelayMillis(),
            Upkeep.NONE,
            () -> {});
    heap = shared ? Heap.shared(resources) : Heap.owned(resources, firstOwner, EXECUTOR);
    CountingBlock first = allocateBlock();
    page = first.page;
    for (int i = 1; i < blocksInUse; i++) {
      allocateBlock();
    }
  }

  /** A heap that the calling thread owns; the blocks 0 to {@code blocksInUse - 1} are in use. */
  public static RealHeap owned(int blocksInUse) {
    return new RealHeap(false, blocksInUse);
  }

  /** A heap that threads share under its lock, without upkeep. */
  public static RealHeap shared(int blocksInUse) {
    return new RealHeap(true, blocksInUse);
  }

  @Override
  public int allocate() {
    CountingBlock block = allocateBlock();
    return block.page == page ? block.slot : NONE;
  }

  @Override
  public void release(int block) {
    page.block(block).state.set(CountingBlock.FREE);
    heap.release(page, block);
  }

  @Override
  public void releaseElsewhere(int block) {
    page.block(block).state.set(CountingBlock.DEFERRED);
    Heap.releaseDeferred(page, block);
  }

  @Override
  public void abandon() {
    heap.abandon(firstOwner);
  }

  @Override
  public boolean adopt() {
    return heap.adopt(Thread.currentThread(), EXECUTOR);
  }

  /** Tries to adopt, and fails while it has the lock, as for want of Java heap. */
  void failToAdopt() {
    try {
      if (heap.adopt(Thread.currentThread(), null)) {
        throw new IllegalStateException("there is no executor, and it was adopted");
      }
    } catch (NullPointerException e) {
      // That was it. Otherwise it found the lock taken.
    }
  }

  @Override
  public void trim() {
    heap.pages().trim();
  }

  @Override
  public boolean runUpkeep() {
    boolean requested = new RealUpkeep(heap.pages().upkeep()).runIfRequested();
    if (requested) {
      heap.pages().trim(); // what the run does on the owner's thread, which may be another one here
    }
    return requested;
  }

  @Override
  public boolean visit() {
    if (!heap.tryLock()) {
      return false;
    }
    heap.unlock();
    return true;
  }

  @Override
  public int allocateShared() {
    while (!heap.tryLock()) {
      Thread.onSpinWait();
    }
    try {
      return allocate();
    } finally {
      heap.unlock();
    }
  }

  @Override
  public boolean hasMail() {
    return !heap.pages().mailbox().isEmpty();
  }

  @Override
  public int timesGivenBack() {
    try {
      new PoolInvariants(pool).check();
    } catch (AssertionError e) {
      return 2; // the bitmap and the counter beside it differ: released more than once
    }
    return page.run.isClaimed() ? 0 : 1;
  }

  private CountingBlock allocateBlock() {
    CountingBlock block = heap.allocate(BLOCK_BYTES);
    block.state.set(CountingBlock.IN_USE);
    return block;
  }

  private static final class CountingBlock implements Block {

    static final int FREE = 0;
    static final int DEFERRED = -1;
    static final int IN_USE = 1;

    final Page<CountingBlock> page;
    final int slot;
    final AtomicInteger state = new AtomicInteger(FREE);

    CountingBlock(Page<CountingBlock> page, int slot) {
      this.page = page;
      this.slot = slot;
    }

    @Override
    public boolean reclaim() {
      return state.compareAndSet(DEFERRED, FREE);
    }
  }
}
