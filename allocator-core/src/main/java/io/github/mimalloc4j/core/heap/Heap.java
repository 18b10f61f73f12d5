package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Pause;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What one thread at a time allocates from: who that thread is, and who comes when there is none.
 * What it then does is in {@link HeapPages}.
 *
 * <p>A heap's identity is permanent, and so is the heap of a page; what moves is ownership:
 *
 * <pre>
 *              adopt                         owned: its thread holds it, without the lock
 *   abandoned ───────▶ owned by a thread     abandoned: has live blocks and no owner;
 *             ◀───────                         whoever releases them has the lock for a while
 *              abandon                       shared: never owned; whoever allocates has the lock
 * </pre>
 *
 * <p>The way of a block that another thread releases goes down only: {@link #releaseDeferred}
 * pushes it on its page's {@linkplain DeferredList deferred list}. If the holder asked for that,
 * the releaser {@linkplain #post posts} the page in the {@link Mailbox}. The owner will find it
 * there; of a heap without an owner, the releaser {@linkplain #drainUnowned drains} the mailbox
 * itself: so the release of the last block of a page gives its slices back although nobody
 * allocates from it.
 *
 * <p>The arguments are in {@code docs/synchronization.md}, H1 to H8.
 *
 * <p>What is not said to be for the holder is for any thread.
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
   * How often the lock of a heap is tried for a trim that waits for who is busy with it: for some
   * milliseconds. No longer, for who trims may have the lock of another heap.
   */
  private static final int MOST_TRIES = 100;

  /** {@link PageQueues#heads}, two loads nearer to the fast path. */
  private final Page<B>[] heads;

  private final HeapPages<B> pages;
  private final long trimDelayMillis;
  private final Upkeep upkeepOfUnowned;
  private final Runnable trimByOwner = this::trimByOwner;
  private final Runnable trimRestByOwner = this::trimRestByOwner;
  private final Runnable whenRefused;

  /**
   * Whether threads allocate from it under the lock; then it never has an owner. Changed under the
   * lock.
   */
  private boolean shared;

  /** Whether it is not to be adopted any more. Changed under the lock. */
  private boolean discarded;

  /**
   * The thread that holds the heap without the lock. Set under the lock. Volatile ({@link #owner}),
   * for the race of {@link #abandon} with {@link #post}; but see {@link #isOwner}.
   */
  private @Nullable Thread owner;

  private volatile boolean locked;

  /** Makes a heap that is abandoned. */
  private Heap(HeapResources<B> resources) {
    pages = new HeapPages<>(this, resources);
    heads = pages.queues().heads;
    trimDelayMillis = resources.trimDelayMillis();
    upkeepOfUnowned = resources.upkeep();
    whenRefused = upkeepOfUnowned::request; // the owner may be dead, or is asked again
  }

  /** Makes a heap that a thread owns, which the executor's tasks run on. */
  public static <B extends Block> Heap<B> owned(
      HeapResources<B> resources, Thread owner, UpkeepExecutor executor) {
    Heap<B> heap = new Heap<>(resources);
    boolean adopted = heap.adopt(owner, executor);
    assert adopted : "nobody else knows it";
    return heap;
  }

  /** Makes a heap that threads share under its lock. */
  public static <B extends Block> Heap<B> shared(HeapResources<B> resources) {
    Heap<B> heap = new Heap<>(resources);
    heap.shared = true;
    heap.pages.upkeep(heap.upkeepOfUnowned);
    return heap;
  }

  /**
   * Takes a block. The holder only.
   *
   * @param bytes what it has to hold, 0 or more
   * @throws OutOfMemoryError if there is no memory, native or for the Java objects, even after
   *     everything within reach was trimmed; nothing is lost then
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
   * As {@link #allocate}, unless that would take another page than the first of the size.
   *
   * @param bytes what it has to hold, 0 to {@link SizeClasses#MAX_BLOCK_BYTES}
   * @return null if it would
   */
  public @Nullable B allocateFromPages(int bytes) {
    int bin = SizeClasses.bin(bytes);
    B block = heads[bin].pop();
    if (block == null) {
      block = pages.queues().hasPages(bin) ? pages.refillFromPages(bin) : pages.refill(bin);
    }
    return block;
  }

  /**
   * Whether {@link #allocateFromPages} may find a block: a guess, for who does not hold the heap.
   */
  public boolean mayHave(int bytes) {
    return !pages.queues().isEmpty(SizeClasses.bin(bytes)) || !pages.mailbox().isEmpty();
  }

  private B allocateCoarse(int bytes) {
    if (bytes > SizeClasses.MAX_BLOCK_BYTES) {
      return pages.allocateLarge(bytes);
    }
    int bin = SizeClasses.bin(bytes);
    B block = heads[bin].pop();
    return block != null ? block : pages.refill(bin);
  }

  /** Takes back a block that is "free" by now. The owner only. */
  public void release(Page<B> page, int slot) {
    assert isOwner(Thread.currentThread()) && page.heap == this;
    int free = page.push(slot);
    // A page that one buffer comes and goes in is queued and retired all the time: no call for it.
    if ((free == 1 && !page.isQueued()) || (free == page.created() && !page.isRetired())) {
      pages.regained(page);
    }
  }

  /** Takes back a block that is "free, deferred" by now. Any thread. */
  public static <B extends Block> void releaseDeferred(Page<B> page, int slot) {
    Heap<B> heap = page.heap;
    if (heap == null) {
      LargePages.release(page);
    } else if (page.deferred.push(slot)) {
      heap.post(page);
    }
  }

  /** Has the holder look at a page, as it asked to. Any thread that found the question. */
  private void post(Page<B> page) {
    pages.mailbox().post(page);
    drainUnowned();
    pages.upkeep().request(); // the owner may be idle, and of a shared heap one page was looked at
  }

  /**
   * Drains the mailbox of a heap without an owner, unless somebody else is about to.
   *
   * <p>No page is left behind: one that is posted while another thread has the lock is seen by that
   * thread, which looks again after it has opened the lock.
   */
  private void drainUnowned() {
    while (!pages.mailbox().isEmpty() && owner() == null && tryLock()) {
      try {
        if (owner() == null) {
          pages.drain(isAbandoned());
        }
      } finally {
        locked = false; // the loop looks again
      }
    }
  }

  /**
   * Whether the calling thread owns the heap, and so holds it. A plain read: nobody else makes it
   * the owner, and while it lives nobody else ends that (H1). So whatever it may read that is out
   * of date is not itself.
   *
   * @param caller the calling thread, or one that has ended before, as the caller knows
   */
  public boolean isOwner(Thread caller) {
    return owner == caller;
  }

  /** The owner; null if there is none. */
  public @Nullable Thread owner() {
    return (Thread) OWNER.getVolatile(this);
  }

  private void owner(@Nullable Thread newOwner) {
    OWNER.setVolatile(this, newOwner);
  }

  /** Whether it has neither an owner nor threads that share it. The holder only. */
  boolean isAbandoned() {
    return owner() == null && !shared;
  }

  /** Takes the lock if it is free. Not for the owner. */
  public boolean tryLock() {
    return !locked && LOCKED.compareAndSet(this, false, true);
  }

  /** Opens the lock, and drains what was posted while it was taken: nobody else may come for it. */
  public void unlock() {
    locked = false;
    drainUnowned();
  }

  /**
   * Takes the heap over from nobody.
   *
   * @param executor runs its tasks on the new owner
   * @return false if it has an owner, or somebody is busy with it
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
      unlock();
    }
    upkeep.request(); // a page may have been posted while nobody was responsible
    return true;
  }

  /**
   * Ends a thread's ownership. The owner, or anyone who has found it dead; does nothing if it is
   * not the owner any more.
   *
   * @param formerOwner null to end the sharing of a shared heap
   */
  public void abandon(@Nullable Thread formerOwner) {
    // Who has the lock finds the owner and leaves at once or, of a shared heap, has its block soon.
    for (int attempt = 0; !tryLock(); attempt++) {
      Pause.after(attempt);
    }
    try {
      if (owner() == formerOwner) {
        leave();
      }
    } finally {
      unlock(); // also who came too late: a page may have been posted while the lock was taken
    }
  }

  private void leave() {
    // First "no owner", then collect; a releaser first pushes, then looks for the owner. One of the
    // two sees the other.
    owner(null);
    pages.upkeep(Upkeep.NONE);
    shared = false;
    pages.trim();
  }

  /**
   * Sees to it that an abandoned heap without pages is not adopted any more.
   *
   * @return whether that is so, now or since an earlier call; false if it is no such heap, or
   *     somebody is busy with it
   */
  public boolean discard() {
    if (owner() != null || !tryLock()) {
      return false;
    }
    try {
      discarded |= isAbandoned() && pages.queues().pageCount() == 0;
      return discarded;
    } finally {
      unlock();
    }
  }

  /**
   * Collects all deferred blocks and gives all empty pages back. The holder only.
   *
   * @return the bytes given back to the segments
   */
  public long trim() {
    assert isHeld();
    return pages.trim();
  }

  /**
   * Trims a heap if it has no owner. A shared one is left to other threads between two portions.
   *
   * @param patiently whether to wait a moment for who is busy with it
   * @return false if somebody is busy with it: it was not trimmed, or not to the end
   */
  public boolean trimUnowned(boolean patiently) {
    if (owner() != null) {
      return true;
    }
    if (!(patiently ? tryLockPatiently() : tryLock())) {
      return false;
    }
    boolean complete = true;
    try {
      if (shared) {
        pages.beginTrim();
        complete = pages.trimPortion();
      } else if (owner() == null) {
        pages.trim(); // nobody else wants the lock, and nobody would go on
      }
    } finally {
      unlock();
    }
    return complete || trimRestUnowned();
  }

  /**
   * Does some portions of the trim of a shared heap that nobody is busy with, for another heap that
   * wants a page. Upkeep does the rest.
   *
   * @param most how many portions at most
   * @return how many were done
   */
  public int trimShared(int most) {
    if (pages.queues().pageCount() == 0 || !tryLock()) { // a guess, for most have none
      return 0;
    }
    int done = 0;
    try {
      if (shared && !pages.isTrimming()) {
        pages.beginTrim();
      }
      boolean complete = false;
      while (!complete && done < most) {
        complete = pages.trimPortion();
        done++;
      }
      if (!complete) {
        upkeepOfUnowned.request();
      }
    } finally {
      unlock();
    }
    return done;
  }

  private boolean trimRestUnowned() {
    boolean complete = false;
    while (!complete) {
      Pause.sleep(); // for those who share the heap
      if (!tryLockPatiently()) {
        return false;
      }
      try {
        complete = pages.trimPortion();
      } finally {
        unlock();
      }
    }
    return true;
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

  /** Asks the owner again if its executor has refused to trim the heap. */
  public void requestRefusedUpkeep() {
    pages.upkeep().requestRefused();
  }

  /** Has the owner trim the heap as soon as its executor has time. */
  public void trimSoon() {
    pages.upkeep().requestNow();
  }

  /** Any thread: the executor may have got another one. */
  private void trimByOwner() {
    if (isOwner(Thread.currentThread())) {
      pages.beginTrim();
      trimPortion();
    }
  }

  private void trimRestByOwner() {
    if (isOwner(Thread.currentThread())) {
      trimPortion();
    }
  }

  private void trimPortion() {
    if (!pages.trimPortion() && !pages.upkeep().continueSoon()) {
      pages.trim(); // at once: nobody else may
    }
  }

  /** Whether the calling thread may be the holder: it is the owner, or somebody has the lock. */
  private boolean isHeld() {
    return owner() == null ? locked : isOwner(Thread.currentThread());
  }

  /** The bytes of all pages: exact at rest, else a snapshot. */
  public long pageBytes() {
    return pages.queues().bytes();
  }

  /** The bytes of all blocks in use: exact at rest, else a snapshot. */
  public long liveBytes() {
    return pages.queues().liveBytes();
  }

  /** What happened here: exact at rest, else never too much (N1). */
  public HeapCounts counts() {
    return pages.counts();
  }

  HeapPages<B> pages() {
    return pages;
  }
}
