package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.PoolInvariants;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A {@link Heap} of which the races see the first page: four blocks, 0 to 3. */
public final class RacedHeap {

  /** What {@link #allocate} returns if the page has nothing that the heap knows of. */
  public static final int NONE = -1;

  private static final String GIVEN_BACK = "given back";

  private static final int BLOCK_BYTES = Slices.BYTES;
  private static final int PAGE_SLICES = 4;

  private static final MemoryPolicy POLICY =
      new MemoryPolicy(
          new SegmentSizing(PAGE_SLICES * Slices.BYTES, 1 << 20, 8), Long.MAX_VALUE, 0, 1000);

  /** Spin-wait hints in a row: about the time that it takes to release four blocks. */
  private static final int PAUSES = 20;

  /** A portion of a trim that looks at the one page that there is, and does no more. */
  private static final int PORTION = 1;

  private final Thread firstOwner = Thread.currentThread();
  private final SegmentPool pool =
      new SegmentPool(bytes -> () -> {}, POLICY, () -> {}, SegmentListener.NONE);
  private final Heap<CountingBlock> heap;
  private final Page<CountingBlock> page;

  /** What an operation found that cannot be. */
  private volatile @Nullable RuntimeException broken;

  /** The rest of a trim that the owner has begun. The race runs it, as it runs the upkeep. */
  private volatile @Nullable Runnable rest;

  private final UpkeepExecutor executor =
      (task, delay) -> {
        if (delay < POLICY.trimDelayMillis()) { // else a run, of which the race knows
          rest = task;
        }
      };

  private RacedHeap(boolean shared, int blocksInUse, int pauses) {
    BlockFactory<CountingBlock> factory =
        (page, slot, memory, offset) -> new CountingBlock(page, slot, pauses);
    HeapResources<CountingBlock> resources =
        LoneHeap.resources(pool, factory, POLICY.trimDelayMillis(), PORTION);
    heap = shared ? Heap.shared(resources) : Heap.owned(resources, firstOwner, executor);
    CountingBlock first = heap.allocate(BLOCK_BYTES);
    page = first.page;
    begin(first);
    for (int i = 1; i < blocksInUse; i++) {
      allocate();
    }
  }

  /** A heap that the calling thread owns; the blocks 0 to {@code blocksInUse - 1} are in use. */
  public static RacedHeap owned(int blocksInUse) {
    return new RacedHeap(false, blocksInUse, 0);
  }

  /**
   * A heap that the calling thread owns; all four blocks are in use. Threads pause before they
   * reclaim a block and after they looked whether one is deferred, so that others often get in
   * between.
   */
  public static RacedHeap ownedWithPauses() {
    return new RacedHeap(false, PAGE_SLICES, PAUSES);
  }

  /** A heap that the calling thread owns; others have released all four blocks but the first. */
  public static RacedHeap ownedWithLastInUse() {
    RacedHeap heap = owned(PAGE_SLICES);
    for (int block = 1; block < PAGE_SLICES; block++) {
      heap.releaseElsewhere(block);
    }
    return heap;
  }

  /** A heap that threads share under its lock, without upkeep. */
  public static RacedHeap shared(int blocksInUse) {
    return new RacedHeap(true, blocksInUse, 0);
  }

  /** Takes a block of the page. The holder only. */
  public int allocate() {
    return begin(heap.allocate(BLOCK_BYTES));
  }

  /** Releases a block. The owner only. */
  public void release(int block) {
    page.block(block).state.set(CountingBlock.FREE);
    attempt(() -> heap.release(page, block));
  }

  /** Releases a block. Any other thread. */
  public void releaseElsewhere(int block) {
    page.block(block).state.set(CountingBlock.DEFERRED);
    page.block(block).ended = true; // plain, as the last use of its bytes
    attempt(() -> Heap.releaseDeferred(page, block));
  }

  /** Takes the page away and gives its slices back, if all its blocks are deferred. Any thread. */
  public boolean steal() {
    if (!page.steal()) {
      return false;
    }
    for (int block = 0; block < page.capacity; block++) {
      if (!page.block(block).ended) {
        broken = new IllegalStateException("stolen while a block was still used");
      }
    }
    page.run.release();
    return true;
  }

  /** The state that the owner and another thread leave who release a block at the same time. */
  public void releaseTwice(int block) {
    releaseElsewhere(block);
    release(block);
  }

  /** At rest, whether the heap has forgotten the page. */
  public boolean isForgotten() {
    return page.isGone();
  }

  /** Ends the first owner's ownership. The owner, or anyone as if it were found dead. */
  public void abandon() {
    attempt(() -> heap.abandon(firstOwner));
  }

  /** Makes the calling thread the owner of a heap that has none. */
  public boolean adopt() {
    return heap.adopt(Thread.currentThread(), executor);
  }

  /** Tries to adopt, and fails while it has the lock, as if there were no Java heap. */
  void failToAdopt() {
    try {
      if (heap.adopt(Thread.currentThread(), null)) {
        throw new IllegalStateException("there is no executor, and it was adopted");
      }
    } catch (NullPointerException e) {
      // That was it. Otherwise it found the lock taken.
    }
  }

  /** Collects, and gives the page back if it is empty. The holder only. */
  public void trim() {
    attempt(heap.pages()::trim);
  }

  private UpkeepTask delayedRun() {
    return heap.pages().upkeep().delayedRun();
  }

  /** Runs the heap's upkeep if it was asked for; returns whether it was. The owner only. */
  public boolean runUpkeep() {
    Upkeep upkeep = heap.pages().upkeep();
    boolean requested = upkeep.isRequested();
    if (requested) {
      upkeep.delayedRun().run();
      heap.pages().trim(); // what the run does on the owner's thread, which may be another one here
    }
    return requested;
  }

  /** Runs the upkeep as often as it is asked for. The owner only. */
  public void finishUpkeep() {
    boolean more = true;
    while (more) {
      more = runUpkeep();
    }
  }

  /** Runs the upkeep of a new owner if it was asked for: a portion of it. The new owner only. */
  public void runUpkeepOfOwner() {
    if (heap.pages().upkeep().isRequested()) {
      attempt(delayedRun());
    }
  }

  /** Runs another portion of that if there is one. The new owner only. */
  public void runRestOfOwner() {
    Runnable due = rest;
    if (due != null) {
      rest = null;
      attempt(due);
    }
  }

  /** At rest, does what is due of the new owner's upkeep; returns whether anything was. */
  public boolean finishUpkeepOfOwner() {
    HeapPages<CountingBlock> pages = heap.pages();
    boolean due = false;
    if (pages.portionedTrim().isUnderWay() && rest != null) {
      due = true;
      while (!pages.portionedTrim().doPortion()) {
        // goes on
      }
    }
    while (pages.upkeep().isRequested()) {
      due = true;
      delayedRun().run();
      pages.trim(); // as in runUpkeep()
    }
    return due;
  }

  /** Takes the lock for a moment if it is free, to no end. */
  public void visit() {
    if (heap.tryLock()) {
      heap.unlock();
    }
  }

  /**
   * As {@link #allocate} under the lock, waiting for it, and biases the heap to the caller. Not for
   * a caller to which it is biased already.
   *
   * @return NONE, too, if the heap is broken
   */
  public int allocateShared() {
    CountingBlock block = null;
    try {
      do {
        block = heap.tryAllocateAndBias(BLOCK_BYTES);
      } while (block == null && !heap.isBiased());
    } catch (IndexOutOfBoundsException | NullPointerException e) {
      broken = e;
    }
    return block == null ? NONE : begin(block);
  }

  /** Releases a block, under the lock if the heap is biased to the caller and not locked. */
  public void releaseShared(int block) {
    attempt(
        () -> {
          if (!heap.releaseIfBiased(page.block(block), page, block)) {
            releaseElsewhere(block);
          }
        });
  }

  /** At rest, whether an operation found what cannot be. */
  public boolean isBroken() {
    return broken != null;
  }

  /** Whether the page has its slices. */
  public boolean isInUse() {
    return page.run.isClaimed();
  }

  /** At rest, whether the page's slices were given back, and once. */
  public boolean isGivenBack() {
    return fate().equals(GIVEN_BACK);
  }

  /** At rest, what became of the page. */
  public String fate() {
    if (broken != null) {
      return "broken: " + broken;
    }
    try {
      new PoolInvariants(pool).check();
    } catch (AssertionError e) {
      return "given back twice"; // the bitmap and the counter beside it differ
    }
    return isInUse() ? "in use" : GIVEN_BACK;
  }

  /** Two holders at a time may come upon what cannot be. */
  private void attempt(Runnable operation) {
    try {
      operation.run();
    } catch (IndexOutOfBoundsException | NullPointerException e) {
      broken = e;
    }
  }

  /** Begins the use of a block; returns its number in the page, or {@link #NONE}. */
  private int begin(CountingBlock block) {
    block.state.set(CountingBlock.IN_USE);
    block.ended = false;
    return block.page == page ? block.slot : NONE;
  }

  private static final class CountingBlock implements Block {

    static final int FREE = 0;
    static final int DEFERRED = -1;
    static final int IN_USE = 1;

    final Page<CountingBlock> page;
    final int slot;
    private final int pauses;
    final AtomicInteger state = new AtomicInteger(FREE);

    /** Whether it was used for the last time before another thread released it. */
    boolean ended;

    CountingBlock(Page<CountingBlock> page, int slot, int pauses) {
      this.page = page;
      this.slot = slot;
      this.pauses = pauses;
    }

    @Override
    public boolean free(Page<?> in, int at) {
      return state.compareAndSet(IN_USE, FREE);
    }

    @Override
    public boolean reclaim(Page<?> in, int at) {
      pause();
      return state.compareAndSet(DEFERRED, FREE);
    }

    @Override
    public boolean isDeferred(Page<?> in, int at) {
      boolean deferred = state.get() == DEFERRED;
      pause();
      return deferred;
    }

    private void pause() {
      for (int i = 0; i < pauses; i++) {
        Thread.onSpinWait();
      }
    }
  }
}
