package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.Block;
import io.github.mimalloc4j.core.heap.BlockFactory;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapEnvironment;
import io.github.mimalloc4j.core.heap.HeapResources;
import io.github.mimalloc4j.core.heap.LargePages;
import io.github.mimalloc4j.core.heap.PageStealer;
import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.core.heap.Upkeep;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.MemorySource;
import io.github.mimalloc4j.core.memory.SearchBudget;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.StackRoom;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * An allocator of blocks in the memory of one source. It has several heaps, and finds one for each
 * thread.
 *
 * <p>A thread that announces its end, and that can be reached until then, {@linkplain #acquire
 * owns} a heap: an abandoned one if there is any, else a new one. All other threads {@linkplain
 * #allocateShared share} a few heaps under try-locks.
 *
 * <p>Thread-safe.
 *
 * @param <B> the type of the blocks
 */
public final class BlockAllocator<B extends Block> {

  /** The delay from the first failure to find memory until owners are asked to trim their heaps. */
  private static final long ASK_DELAY_MILLIS = 1;

  private final HeapResources<B> resources;
  private final AllocatorCounters counters;
  private final SearchBudget searchBudget = new SearchBudget();
  private final BooleanSupplier trimForRetry = this::trimForRetry;

  /** Finds ended owners, repeats requests that executors refused, and trims the shared heaps. */
  private final Upkeep upkeepOfUnowned;

  /** Gives free segments back. */
  private final Upkeep poolUpkeep;

  /**
   * Asks all owners to trim their heaps. Later, because memory has run out in the middle of an
   * operation on a heap, perhaps under its lock, and executors may run code of the program. If no
   * thread can be started for that, the next failure asks again.
   */
  private final Upkeep askingOwners;

  private final OwnedHeaps<B> owned;
  private final SharedHeaps<B> shared;

  private volatile boolean closed;

  private final SearchBudget figuresBudget = new SearchBudget();
  private volatile long liveBytesAtFailure = -1;

  /**
   * Creates an allocator that has no memory yet.
   *
   * @param source where segments come from
   * @param policy how much memory the allocator takes, and how much of it the allocator retains
   * @param maxSharedHeaps the maximum number of heaps for threads without one of their own, 1 or
   *     more; heaps are added as such threads are found allocating at the same time
   * @param factory creates the blocks
   * @param executor runs the upkeep of what no thread owns, and reports users' mistakes
   * @param listener receives users' mistakes and rare events
   */
  public BlockAllocator(
      MemorySource source,
      MemoryPolicy policy,
      int maxSharedHeaps,
      BlockFactory<B> factory,
      UpkeepExecutor executor,
      AllocatorListener listener) {
    this(source, policy, maxSharedHeaps, factory, executor, listener, HeapResources.TRIM_PORTION);
  }

  /** Creates an allocator with another {@link HeapResources#trimPortion}. */
  BlockAllocator(
      MemorySource source,
      MemoryPolicy policy,
      int maxSharedHeaps,
      BlockFactory<B> factory,
      UpkeepExecutor executor,
      AllocatorListener listener,
      int trimPortion) {
    if (maxSharedHeaps < 1) {
      throw new IllegalArgumentException(
          "maxSharedHeaps: " + maxSharedHeaps + " (expected: 1 or more)");
    }
    long delay = policy.trimDelayMillis();
    upkeepOfUnowned = new Upkeep(executor, delay, this::keepUp, () -> {});
    counters = new AllocatorCounters(listener, executor);
    owned = new OwnedHeaps<>(counters);
    long halfDelay = (delay + 1) / 2; // a segment goes in the second round that finds it free
    poolUpkeep = new Upkeep(executor, halfDelay, this::purgeIdle, upkeepOfUnowned::request);
    askingOwners = new Upkeep(executor, ASK_DELAY_MILLIS, owned::trimSoon, () -> {});
    SegmentPool pool = new SegmentPool(source, policy, poolUpkeep::request, listener);
    PageStealer stealer = new PageStealer(this::owned, this::shared);
    LargePages<B> large = new LargePages<>(pool, factory, stealer);
    resources =
        new HeapResources<>(
            pool, large, factory, stealer, new Environment(), delay, trimPortion, upkeepOfUnowned);
    shared = new SharedHeaps<>(resources, maxSharedHeaps);
  }

  /**
   * Makes the calling thread the owner of a heap. The thread must {@linkplain #abandon} the heap
   * before it ends; otherwise, another thread abandons it after finding that this one has ended.
   *
   * @param executor runs the heap's upkeep on the calling thread
   * @throws OutOfMemoryError if there is no Java heap for it
   * @throws IllegalStateException if the allocator was closed
   */
  public Heap<B> acquire(UpkeepExecutor executor) {
    requireOpen();
    StackRoom.require(); // the caller would not know its heap, and executors have code of their own
    Thread thread = Thread.currentThread();
    Heap<B> heap = owned.adopt(thread, executor);
    if (heap == null && abandonEnded(false)) {
      heap = owned.adopt(thread, executor);
    }
    if (heap == null) {
      heap = Heap.owned(resources, thread, executor);
      owned.add(heap);
    }
    if (closed) { // meanwhile, and whoever closed it may not have seen this heap
      abandon(heap);
      requireOpen();
    }
    return heap;
  }

  /** Ends the calling thread's ownership of a heap. The heap's live blocks stay valid. */
  public void abandon(Heap<B> heap) {
    try {
      heap.abandon(Thread.currentThread());
    } finally {
      upkeepOfUnowned.request(); // to remove the heap if it is empty
    }
  }

  /** Abandons the heaps of threads that ended without doing so. */
  public void abandonEnded() {
    try {
      owned.abandonEnded(true);
    } finally {
      upkeepOfUnowned.request(); // to remove the heaps that are empty, or to look again
    }
  }

  /**
   * Allocates a block for a thread that owns no heap.
   *
   * @param bytes the bytes that the block must hold, 0 or more
   * @throws OutOfMemoryError as {@link Heap#allocate} does
   * @throws IllegalStateException if the allocator was closed
   */
  public B allocateShared(int bytes) {
    return bytes <= SizeClasses.MAX_BLOCK_BYTES
        ? shared.allocate(bytes)
        : resources.large().allocate(bytes, null, trimForRetry);
  }

  /**
   * Gives back what it can without the help of other threads: the large pages that heaps keep, the
   * empty pages of heaps without a living owner, then free segments. Asks the owners of the other
   * heaps to trim them soon.
   *
   * @return the bytes given back to the memory source so far
   */
  public long trim() {
    long purged = trimUnownedAndPurge(true);
    owned.trimSoon();
    return purged;
  }

  /**
   * Ends all allocation. Blocks in use stay valid. Each segment goes back to the memory source when
   * its last block is released. A second call completes what an error has cut short.
   *
   * <p>A thread that owns a heap must {@link #abandon} it. The heap's executor runs a trim, after
   * which the thread can find that the allocator {@linkplain #isClosed() is closed}. Until then the
   * thread may still get blocks.
   */
  public void close() {
    closed = true;
    try {
      abandonEnded(true);
      for (Heap<B> heap : shared()) {
        heap.abandon(null);
      }
      owned.trimSoon();
    } finally {
      resources.pool().close();
    }
  }

  public boolean isClosed() {
    return closed;
  }

  /** Returns the bytes obtained from the memory source and not given back. */
  public long usedBytes() {
    return resources.pool().usedBytes();
  }

  /**
   * Returns the bytes of all blocks in use, each with its whole size. Exact while no thread
   * allocates or releases, else an estimate.
   */
  public long liveBytes() {
    return StatisticsReader.bytes(this).live();
  }

  /**
   * Returns the {@linkplain #liveBytes() bytes of all blocks in use} for the report of an
   * allocation that has failed. To count them, all pages and segments are looked at. If there are
   * many, and many allocations fail, the bytes may be those of a failure before.
   */
  public long liveBytesAtFailure() {
    boolean counts = figuresBudget.allows(pageCount() + pool().segmentCount());
    if (counts || liveBytesAtFailure < 0) {
      liveBytesAtFailure = liveBytes();
    }
    return liveBytesAtFailure;
  }

  /**
   * Returns the number of pages of all heaps: an estimate, as {@link #liveBytes()}. Allocates
   * nothing: there may be no Java heap until memory was given back.
   */
  private int pageCount() {
    return pageCount(owned()) + pageCount(shared());
  }

  private static int pageCount(Heap<?>[] heaps) {
    int pages = 0;
    for (Heap<?> heap : heaps) {
      pages += heap.pageCount();
    }
    return pages;
  }

  /** Returns the bytes of all pages of heaps: an estimate, as {@link #liveBytes()}. For tests. */
  public long pagedBytes() {
    long paged = 0;
    for (Heap<B> heap : heaps()) {
      paged += heap.pageBytes();
    }
    return paged;
  }

  Heap<B>[] owned() {
    return owned.all();
  }

  Heap<B>[] shared() {
    return shared.all();
  }

  /** Returns all heaps, in a new array. */
  Heap<B>[] heaps() {
    Heap<B>[] owned = owned();
    Heap<B>[] shared = shared();
    Heap<B>[] all = Arrays.copyOf(owned, owned.length + shared.length);
    System.arraycopy(shared, 0, all, owned.length, shared.length);
    return all;
  }

  SegmentPool pool() {
    return resources.pool();
  }

  LargePages<B> largePages() {
    return resources.large();
  }

  AllocatorCounters counters() {
    return counters;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The allocator is closed.");
    }
  }

  /** Begins with what needs no Java heap: there may be none until memory was given back. */
  private void keepUp() {
    owned.abandonEnded(true);
    for (Heap<B> heap : owned()) {
      heap.requestRefusedUpkeep();
    }
    poolUpkeep.requestRefused();
    boolean complete = true;
    for (Heap<B> heap : shared()) {
      complete &= !heap.isLocked() && heap.trimUnowned(true); // one in use is left to another run
    }
    if (!complete) {
      upkeepOfUnowned.request();
    }
    owned.discardEmpty();
    counters.report(); // what an executor refused before
  }

  private boolean abandonEnded(boolean patiently) {
    boolean found = owned.abandonEnded(patiently);
    if (found) {
      upkeepOfUnowned.request(); // to remove their heaps if they are empty, or to look again
    }
    return found;
  }

  private void purgeIdle() {
    resources.pool().purgeIdle();
  }

  /**
   * Trims for an allocation that found no memory and is about to be tried again, if the budget
   * allows it. Nobody is waited for, and owners are asked to trim soon: the caller may be an event
   * loop that they wait for, and may hold the lock of a shared heap. The next allocation finds what
   * they give back.
   */
  private boolean trimForRetry() {
    counters.retriedForMemory(usedBytes());
    if (!searchBudget.allows(pageCount())) {
      return false;
    }
    trimUnownedAndPurge(false);
    askingOwners.request();
    return true;
  }

  private long trimUnownedAndPurge(boolean patiently) {
    abandonEnded(patiently);
    for (Heap<B> heap : owned()) {
      heap.giveBackKeptLarge();
    }
    trimUnowned(owned(), patiently);
    boolean complete = trimUnowned(shared(), patiently);
    if (!complete || owned.haveEmpty()) {
      upkeepOfUnowned.request(); // a trim may have stopped half-way, or kept a heap from removal
    }
    return resources.pool().purge();
  }

  /** Returns false if a heap was busy. */
  private static boolean trimUnowned(Heap<?>[] heaps, boolean patiently) {
    boolean complete = true;
    for (Heap<?> heap : heaps) {
      complete &= heap.trimUnowned(patiently);
    }
    return complete;
  }

  private final class Environment implements HeapEnvironment {

    @Override
    public void makeRoom() {
      shared.makeRoom();
    }

    @Override
    public boolean trimForRetry() {
      return BlockAllocator.this.trimForRetry();
    }

    @Override
    public void doubleReleaseCaught() {
      counters.doubleReleaseCaught();
    }

    @Override
    public void requireOpen() {
      BlockAllocator.this.requireOpen();
    }
  }
}
