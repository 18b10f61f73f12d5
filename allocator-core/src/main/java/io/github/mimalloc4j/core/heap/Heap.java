package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Pause;
import io.github.mimalloc4j.core.memory.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The pages that one thread at a time allocates from. This class decides which thread that is, and
 * who does the work if there is none. {@link HeapPages} does the work.
 *
 * <p>A heap keeps its identity for ever, and a page keeps its heap. Only ownership moves:
 *
 * <pre>
 *              adopt                         owned: its thread holds it, without the lock
 *   abandoned ───────▶ owned by a thread     abandoned: has live blocks and no owner;
 *             ◀───────                         whoever releases them holds the lock for a while
 *              abandon                       shared: never owned; whoever allocates holds the lock,
 *                                              and so does the thread that did so last to release
 * </pre>
 *
 * <p>A release by another thread only calls downwards. {@link #releaseDeferred} pushes the block on
 * its page's {@linkplain DeferredList deferred list}. If the holder asked for the page, the
 * releaser posts it in the {@link Mailbox}, where the owner will find it. If the heap has no owner,
 * the releaser {@linkplain #drainUnowned drains} the mailbox itself. So the release of a page's
 * last block gives its slices back even if nobody allocates from the heap.
 *
 * <p>The correctness arguments are in {@code docs/synchronization.md}, H1 to H9.
 *
 * <p>Any thread may call the methods, unless stated otherwise.
 *
 * @param <B> the type of the blocks
 */
public final class Heap<B extends Block> extends HeapPadding {

  private static final VarHandle LOCKED;
  private static final VarHandle OWNER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LOCKED = lookup.findVarHandle(Heap.class, "locked", boolean.class);
      OWNER = lookup.findVarHandle(Heap.class, "owner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * How often a patient thread tries the lock of a busy heap: some milliseconds in all. Bounded,
   * because that thread may hold the lock of another heap, or even this one.
   */
  private static final int MOST_TRIES = 100;

  /** {@link #biasedTo} of a heap that is biased to no thread; no thread's number. */
  private static final long NOBODY = 0;

  /** {@link PageQueues#heads}, two loads closer to the fast path. */
  private final Page<B>[] heads;

  private final HeapPages<B> pages;
  private final PortionedTrim<B> portionedTrim;
  private final long trimDelayMillis;
  private final Upkeep upkeepOfUnowned;
  private final Runnable trimByOwner = this::trimByOwner;
  private final Runnable trimRestByOwner = this::trimRestByOwner;
  private final Runnable whenRefused;

  /**
   * Whether threads allocate from the heap under its lock. If so, it never has an owner. Changed
   * under the lock.
   */
  private boolean shared;

  /** Whether the heap must not be adopted any more. Changed under the lock. */
  private boolean discarded;

  /**
   * The thread that holds the heap without the lock. Set under the lock. Volatile ({@link #owner})
   * because of the race between {@link #abandon} and {@link #posted}; but see {@link #isOwner}.
   */
  private @Nullable Thread owner;

  private volatile boolean locked;

  /**
   * The number of the thread that a shared heap is biased to: the last one that took the lock to
   * allocate here by its own choice, or NOBODY. Changed under the lock, and read before as a hint.
   */
  private long biasedTo = NOBODY;

  /** Creates an abandoned heap. */
  private Heap(HeapResources<B> resources) {
    pages = new HeapPages<>(this, resources);
    heads = pages.queues().heads;
    portionedTrim = pages.portionedTrim();
    trimDelayMillis = resources.trimDelayMillis();
    upkeepOfUnowned = resources.upkeepOfUnowned();
    whenRefused = upkeepOfUnowned::request; // the owner may have ended, or is asked again later
  }

  /** Creates a heap that a thread owns. The executor runs its tasks on that thread. */
  public static <B extends Block> Heap<B> owned(
      HeapResources<B> resources, Thread owner, UpkeepExecutor executor) {
    Heap<B> heap = new Heap<>(resources);
    boolean adopted = heap.adopt(owner, executor);
    assert adopted : "nobody else knows it";
    return heap;
  }

  /** Creates a heap that threads share under its lock. */
  public static <B extends Block> Heap<B> shared(HeapResources<B> resources) {
    Heap<B> heap = new Heap<>(resources);
    heap.shared = true;
    heap.pages.upkeep(heap.upkeepOfUnowned);
    return heap;
  }

  /**
   * Allocates a block. Holder only.
   *
   * @param bytes the bytes that the block must hold, 0 or more
   * @throws OutOfMemoryError if there is no native memory, even after everything within reach was
   *     trimmed, or no Java heap; nothing is lost then
   * @throws IllegalStateException if the allocator was closed, and this call had to look beyond the
   *     page in use
   */
  public B allocate(int bytes) {
    int bin = SizeClasses.fineBin(bytes);
    if (bin == SizeClasses.NO_BIN) {
      return allocateCoarse(bytes);
    }
    B block = heads[bin].pop();
    return block != null ? block : pages.refill(bin);
  }

  /**
   * Allocates a block of a shared heap under the lock, and biases the heap to the calling thread.
   * Only adds a page if the bin has none, or if thousands of searches of its pages in a row found
   * no block.
   *
   * @param bytes the bytes that the block must hold, 0 to {@link SizeClasses#MAX_BLOCK_BYTES}
   * @return null if the lock is taken, if the heap is no longer shared, or if another page would be
   *     needed
   * @throws OutOfMemoryError as {@link #allocate} does
   * @throws IllegalStateException as {@link #allocate} does
   */
  public @Nullable B tryAllocateAndBias(int bytes) {
    return tryAllocate(bytes, false, Thread.currentThread().getId());
  }

  /**
   * Allocates a block of a shared heap as {@link #tryAllocateAndBias} does, but leaves the bias as
   * it is.
   *
   * @param grow whether to add a page whenever another one is needed
   */
  public @Nullable B tryAllocate(int bytes, boolean grow) {
    return tryAllocate(bytes, grow, NOBODY);
  }

  private @Nullable B tryAllocate(int bytes, boolean grow, long biasTo) {
    if (!tryLockShared()) {
      return null;
    }
    B block = null;
    try {
      if (biasTo != biasedTo && biasTo != NOBODY) {
        biasedTo = biasTo;
      }
      block = grow ? allocate(bytes) : allocateSparingly(bytes);
      LOCKED.setRelease(this, false); // without a fence (H6)
    } catch (Throwable e) {
      locked = false; // without a call, for which there may be no stack
      if (block == null) {
        throw e;
      }
    }
    return block;
  }

  /**
   * Allocates a block of a shared heap from the pages that it has, for a thread that cannot have
   * another page. Waits a moment for the lock.
   *
   * @param bytes as in {@link #tryAllocateAndBias}
   * @return null if the pages have no block, or no Java heap to make one; if the lock stays taken;
   *     or if the heap is no longer shared
   */
  public @Nullable B tryAllocateExisting(int bytes) {
    if (!tryLockPatiently()) {
      return null;
    }
    B block = null;
    try {
      block = shared ? pages.refillExisting(SizeClasses.bin(bytes)) : null;
    } catch (OutOfMemoryError e) {
      // No Java heap for a page's next blocks: another heap may have some.
    } finally {
      locked = false; // without a call, as in tryAllocate()
    }
    if (block == null) {
      drainUnlessShared();
    }
    return block;
  }

  private @Nullable B allocateSparingly(int bytes) {
    int bin = SizeClasses.bin(bytes);
    B block = heads[bin].pop();
    return block != null ? block : pages.refillSparingly(bin);
  }

  /**
   * Returns whether {@link #allocateSparingly} may find a block: a guess, for threads that do not
   * hold the heap.
   */
  public boolean mayHave(int bytes) {
    int bin = SizeClasses.bin(bytes);
    return !pages.queues().isEmpty(bin)
        || (pages.table().bytes(bin) > 0 && (!pages.mailbox().isEmpty() || pages.mail() != null));
  }

  private B allocateCoarse(int bytes) {
    if (bytes > SizeClasses.MAX_BLOCK_BYTES) {
      return pages.allocateLarge(bytes);
    }
    int bin = SizeClasses.bin(bytes);
    B block = heads[bin].pop();
    return block != null ? block : pages.refill(bin);
  }

  /** Takes back a block that is already "free". Owner only. */
  public void release(Page<B> page, int slot) {
    assert isOwner(Thread.currentThread());
    push(page, slot);
  }

  /**
   * Releases a block under the lock if the heap is biased to the calling thread and the lock is
   * free. That costs one atomic operation, and a deferred release two.
   *
   * @return false, with nothing changed, if not, or if another thread has released the block
   *     meanwhile; the caller must defer it, or find that out
   */
  public boolean releaseIfBiased(B block, Page<B> page, int slot) {
    if (!isBiased() || !tryLockShared()) {
      return false;
    }
    boolean freed;
    try {
      freed = block.free(page, slot);
      if (freed) {
        push(page, slot);
      }
      LOCKED.setRelease(this, false); // as in tryAllocate()
    } catch (Throwable e) {
      locked = false;
      throw e;
    }
    return freed;
  }

  private void push(Page<B> page, int slot) {
    assert page.heap == this;
    int free = page.push(slot);
    // A page that serves one buffer at a time stays queued and retired: it needs no call.
    if ((free == 1 && !page.isQueued()) || (free == page.created() && !page.isRetired())) {
      pages.regained(page);
    }
  }

  /** Takes back a block that is already "free, deferred". Any thread. */
  public static <B extends Block> void releaseDeferred(Page<B> page, int slot) {
    Heap<B> heap = page.heap;
    if (heap == null) {
      releaseLarge(page);
    } else if (page.deferred.push(slot)) { // the holder asked for the page
      try {
        heap.pages.mailbox().post(page);
      } catch (Throwable e) { // for example no stack to call it
        page.unposted = true;
        throw e;
      }
      heap.posted();
    }
  }

  /**
   * Keeps a large page for the next large block, if the owner of the heap that may keep it releases
   * it. Else gives its slices back.
   */
  private static <B extends Block> void releaseLarge(Page<B> page) {
    Heap<B> keeper = page.keeper;
    if (keeper != null && keeper.isOwner(Thread.currentThread())) {
      keeper.pages.keepLarge(page);
    } else {
      LargePages.giveBack(page);
    }
  }

  /**
   * Gives back the large page that the heap keeps. Any thread.
   *
   * @return false if the heap keeps none
   */
  public boolean giveBackKeptLarge() {
    return pages.giveBackKeptLarge();
  }

  /** Drains the mailbox after a post if there is no owner, and otherwise has the owner look. */
  private void posted() {
    try {
      drainUnowned();
    } finally {
      pages.upkeep().request(); // the owner may be idle; in a shared heap only mail was looked at
    }
  }

  /**
   * Drains the mailbox of a heap without an owner, or a portion of it in a shared heap, unless
   * another thread is about to.
   *
   * <p>No page is left behind. If a page is posted while another thread holds the lock, that thread
   * sees it, because it looks again after it has opened the lock. In a shared heap, which is in
   * use, a portion is looked at once; the posters' upkeep sees the rest.
   */
  private void drainUnowned() {
    while (!pages.mailbox().isEmpty() && owner() == null && tryLock()) {
      boolean empty = false;
      try {
        if (isAbandoned()) {
          pages.drain();
          empty = pages.table().count() == 0;
        } else if (owner() == null) {
          pages.drainPortion();
          return;
        }
      } finally {
        locked = false; // the loop looks again
      }
      if (empty) {
        upkeepOfUnowned.request(); // which discards the heap
      }
    }
  }

  /**
   * Returns whether the calling thread owns the heap, and so holds it. A plain read is enough:
   * nobody else makes this thread the owner, and while it lives nobody else ends its ownership
   * (H1). So a stale value that it may read is never the thread itself.
   *
   * @param caller the calling thread, or a thread that the caller knows to have ended
   */
  public boolean isOwner(Thread caller) {
    return owner == caller;
  }

  /** Returns the executor of the owner's upkeep, or one that runs nothing if there is no owner. */
  public UpkeepExecutor upkeepExecutor() {
    return pages.upkeep().executor();
  }

  /** Returns the owner, or null if there is none. */
  public @Nullable Thread owner() {
    return (Thread) OWNER.getVolatile(this);
  }

  private void owner(@Nullable Thread newOwner) {
    OWNER.setVolatile(this, newOwner);
  }

  /** Returns whether the heap has no owner and is not shared. Holder only. */
  boolean isAbandoned() {
    return owner() == null && !shared;
  }

  /** Takes the lock if it is free. Not for the owner. */
  public boolean tryLock() {
    return !locked && LOCKED.compareAndSet(this, false, true);
  }

  /** Returns whether a thread has the lock: a guess. */
  public boolean isLocked() {
    return locked;
  }

  /** Returns whether a shared heap is biased to the calling thread: a hint. */
  public boolean isBiased() {
    return biasedTo == Thread.currentThread().getId();
  }

  /** Takes the lock if it is free and the heap is still shared. */
  private boolean tryLockShared() {
    if (!tryLock()) {
      return false;
    }
    if (shared) {
      return true;
    }
    locked = false;
    drainUnowned();
    return false;
  }

  /**
   * Opens the lock. For tests: this class does so by an assignment, since at the end of the stack a
   * call might fail.
   */
  public void unlock() {
    locked = false;
    drainUnlessShared();
  }

  /**
   * Drains what was posted while the lock was taken, since nobody else may come for it. In a shared
   * heap the poster's upkeep will. For whoever has just opened the lock.
   */
  private void drainUnlessShared() {
    if (!shared) { // racy: whoever ends the sharing meanwhile drains
      drainUnowned();
    }
  }

  /**
   * Makes a thread the owner of an abandoned heap.
   *
   * @param executor runs its tasks on the new owner
   * @return false if the heap is not abandoned or was discarded, or if its lock is taken
   */
  public boolean adopt(Thread newOwner, UpkeepExecutor executor) {
    if (owner() != null || !tryLock()) {
      return false;
    }
    Upkeep upkeep = Upkeep.NONE;
    try {
      if (!isAbandoned() || discarded) {
        return false;
      }
      upkeep = new Upkeep(executor, trimDelayMillis, trimByOwner, trimRestByOwner, whenRefused);
      pages.upkeep(upkeep);
      owner(newOwner);
    } finally {
      locked = false;
      drainUnlessShared();
    }
    upkeep.request(); // a page may have been posted while nobody was responsible
    return true;
  }

  /**
   * Ends a thread's ownership. For the owner, or for any thread that has found the owner ended.
   * Does nothing if that thread is no longer the owner.
   *
   * @param formerOwner the owner; null to end the sharing of a shared heap
   */
  public void abandon(@Nullable Thread formerOwner) {
    // Whoever holds the lock finds an owner and leaves at once or, in a shared heap, soon has its
    // block.
    for (int attempt = 0; !tryAbandon(formerOwner); attempt++) {
      Pause.after(attempt);
    }
  }

  /**
   * Ends a thread's ownership as {@link #abandon} does, unless the lock is taken.
   *
   * @return false if the lock is taken
   */
  public boolean tryAbandon(@Nullable Thread formerOwner) {
    if (!tryLock()) {
      return false;
    }
    try {
      if (owner() == formerOwner) {
        leave();
      }
    } finally {
      locked = false;
      drainUnlessShared(); // also if this came too late: a page may have been posted
    }
    return true;
  }

  private void leave() {
    StackRoom.require(); // for the whole trim: without an owner, nobody would complete it
    // First clear the owner, then collect. A releaser first pushes, then looks for the owner. So
    // one of the two sees the other.
    owner(null);
    pages.upkeep(Upkeep.NONE);
    shared = false;
    pages.trim();
  }

  /**
   * Returns whether the heap is in the middle of an operation that has called an executor, which
   * has called this method. If so, the owner must not {@linkplain #abandon} the heap yet. Owner
   * only.
   */
  public boolean callsOut() {
    return pages.callsOut();
  }

  /**
   * Prevents an abandoned heap without pages from being adopted again.
   *
   * @return whether the heap is discarded, by this call or an earlier one; false if it does not
   *     qualify, or if its lock is taken
   */
  public boolean discard() {
    if (owner() != null || !tryLock()) {
      return false;
    }
    try {
      discarded |= isAbandoned() && pages.table().count() == 0 && pages.keptLarge().kept() == null;
      return discarded;
    } finally {
      locked = false;
      drainUnlessShared();
    }
  }

  /** Collects all deferred blocks and gives all empty pages back. Holder only. */
  public void trim() {
    assert isHeld();
    pages.trim();
  }

  /**
   * Trims the heap if it has no owner. Between two portions, other threads may use a shared heap.
   *
   * @param patiently whether to wait: a moment if the lock is taken, and between two portions so
   *     that others do get the heap. False for an allocation, whose thread may have other work
   * @return false if the heap was busy, and therefore was not trimmed, or not to the end
   */
  public boolean trimUnowned(boolean patiently) {
    if (owner() != null) {
      return true;
    }
    if (!tryLock(patiently)) {
      return false;
    }
    int trim = 0;
    boolean complete = true;
    try {
      if (shared) {
        trim = portionedTrim.begin();
        portionedTrim.doPortion();
        complete = portionedTrim.isComplete(trim);
      } else if (owner() == null) {
        pages.trim(); // in one go: nobody else wants the lock, or would go on
      }
    } finally {
      locked = false;
      drainUnlessShared();
    }
    return complete || trimRestShared(trim, patiently);
  }

  /**
   * Does some portions of the trim of a shared heap that is not busy, because another heap needs a
   * page. Upkeep does the rest.
   *
   * @param most the maximum number of portions
   * @return the number of portions done
   */
  public int trimShared(int most) {
    if (pages.table().count() == 0 || !tryLock()) { // a guess: most have none
      return 0;
    }
    int done = 0;
    try {
      if (shared && !portionedTrim.isUnderWay()) {
        portionedTrim.begin();
      }
      boolean complete = false;
      while (!complete && done < most) {
        complete = portionedTrim.doPortion();
        done++;
      }
      if (!complete) {
        upkeepOfUnowned.request();
      }
    } finally {
      locked = false;
      drainUnlessShared();
    }
    return done;
  }

  /** Completes a trim that this call has begun. Those of other callers are theirs to complete. */
  private boolean trimRestShared(int trim, boolean patiently) {
    boolean complete = false;
    while (!complete) {
      if (patiently) {
        Pause.sleep();
      }
      if (!tryLock(patiently)) {
        return false;
      }
      try {
        portionedTrim.doPortion();
        complete = portionedTrim.isComplete(trim);
      } finally {
        locked = false;
        drainUnlessShared();
      }
    }
    return true;
  }

  private boolean tryLock(boolean patiently) {
    return patiently ? tryLockPatiently() : tryLock();
  }

  private boolean tryLockPatiently() {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      if (tryLock()) {
        return true;
      }
      Pause.after(attempt);
    }
    return false;
  }

  /** Requests upkeep again if the owner's executor has refused it. */
  public void requestRefusedUpkeep() {
    pages.upkeep().requestRefused();
  }

  /** Asks the owner to trim the heap as soon as its executor has time. */
  public void trimSoon() {
    pages.upkeep().requestNow();
  }

  /** May run on any thread: the executor may have changed its thread. */
  private void trimByOwner() {
    if (isOwner(Thread.currentThread())) {
      portionedTrim.begin();
      pages.trimPortion();
    }
  }

  private void trimRestByOwner() {
    if (isOwner(Thread.currentThread())) {
      pages.trimPortion();
    }
  }

  /**
   * Returns whether the calling thread may be the holder: it is the owner, or there is no owner and
   * the lock is taken.
   */
  private boolean isHeld() {
    return owner() == null ? locked : isOwner(Thread.currentThread());
  }

  /** Returns the number of pages, without a kept large one: exact at rest, else a snapshot. */
  public int pageCount() {
    return pages.table().count();
  }

  /** Returns the bytes of all pages, a kept large one included: exact at rest, else a snapshot. */
  public long pageBytes() {
    return pages.bytes();
  }

  /** Returns the bytes of all blocks in use: exact at rest, else a snapshot. */
  public long liveBytes() {
    return pages.table().liveBytes();
  }

  /** Returns the heap's counts: exact at rest, else never too high (N1). */
  public HeapCounts counts() {
    return pages.counts();
  }

  HeapPages<B> pages() {
    return pages;
  }
}
