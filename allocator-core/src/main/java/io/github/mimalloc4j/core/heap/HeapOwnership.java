package io.github.mimalloc4j.core.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a heap, and who comes to it when nobody does.
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
 * <p>The arguments are in {@code docs/synchronization.md}, H1 to H3.
 *
 * <p>What is not said to be for the holder is for any thread.
 */
abstract class HeapOwnership<B extends Block> extends HeapPadding {

  private static final VarHandle LOCKED;

  static {
    try {
      LOCKED = MethodHandles.lookup().findVarHandle(HeapOwnership.class, "locked", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long trimDelayMillis;
  private final Upkeep upkeepOfUnowned;
  private final Runnable trimByOwner = this::trimByOwner;
  private final Runnable whenRefused;
  private final Mailbox<B> mailbox = new Mailbox<>();

  /**
   * Whether threads allocate from it under the lock; then it never has an owner. Changed under the
   * lock.
   */
  private boolean shared;

  /** Whether it is not to be adopted any more. Changed under the lock. */
  private boolean discarded;

  /**
   * The thread that holds the heap without the lock. Set under the lock. Volatile, for the race of
   * {@link #abandon} with {@link #tell}.
   */
  private volatile @Nullable Thread owner;

  /**
   * Trims the heap when nobody calls it any more. Requested whenever a page was added or became
   * empty, and for every answer. Set under the lock.
   */
  private volatile Upkeep upkeep = Upkeep.NONE;

  private volatile boolean locked;

  /**
   * Begins as abandoned.
   *
   * @param trimDelayMillis how long after a reason for it the heap is trimmed; 0 if it never is
   * @param upkeepOfUnowned the upkeep of all that no thread owns
   */
  HeapOwnership(long trimDelayMillis, Upkeep upkeepOfUnowned) {
    this.trimDelayMillis = trimDelayMillis;
    this.upkeepOfUnowned = upkeepOfUnowned;
    whenRefused = upkeepOfUnowned::request; // the owner may be dead
  }

  /** Gives back what is empty, and asks for the rest. The holder only. */
  abstract long trim();

  /** Does what the mailbox asks for. The holder only. */
  abstract void takeMail();

  /** Whether it has pages. The holder only. */
  abstract boolean hasPages();

  /** Whether the thread owns the heap, and so holds it. */
  public final boolean isOwner(Thread thread) {
    return owner == thread;
  }

  /** The owner; null if there is none. */
  public final @Nullable Thread owner() {
    return owner;
  }

  /** Whether it has neither an owner nor threads that share it. The holder only. */
  final boolean isAbandoned() {
    return owner == null && !shared;
  }

  final Mailbox<B> mailbox() {
    return mailbox;
  }

  final Upkeep upkeep() {
    return upkeep;
  }

  /** Takes the lock if it is free. Not for the owner. */
  public final boolean tryLock() {
    return !locked && LOCKED.compareAndSet(this, false, true);
  }

  /** Opens the lock, and does what was posted while it was taken: nobody else may come for it. */
  public final void unlock() {
    locked = false;
    help();
  }

  /** Makes it shared. Before any other thread knows it. */
  final void share() {
    shared = true;
    upkeep = upkeepOfUnowned;
  }

  /**
   * Takes the heap over from nobody.
   *
   * @param executor runs its tasks on the new owner
   * @return false if it has an owner, or somebody is busy with it
   */
  public final boolean adopt(Thread newOwner, UpkeepExecutor executor) {
    if (owner != null || !tryLock()) {
      return false;
    }
    Upkeep adopted = Upkeep.NONE;
    try {
      if (!isAbandoned() || discarded) {
        return false;
      }
      adopted = upkeepOn(executor);
      upkeep = adopted;
      owner = newOwner;
    } finally {
      unlock();
    }
    adopted.request(); // an answer may have come while nobody was responsible
    return true;
  }

  /**
   * Ends a thread's ownership. The owner, or anyone who has found it dead; does nothing if it is
   * not the owner any more.
   *
   * @param formerOwner null to end the sharing of a shared heap
   */
  public final void abandon(@Nullable Thread formerOwner) {
    // Who has the lock finds the owner and leaves at once or, of a shared heap, has its block soon.
    for (int attempt = 0; !tryLock(); attempt++) {
      Pause.after(attempt);
    }
    try {
      if (owner == formerOwner) {
        leave();
      }
    } finally {
      unlock(); // also who came too late: a notice may have found the lock taken
    }
  }

  private void leave() {
    // First "no owner", then collect; a releaser first pushes, then looks for the owner. One of the
    // two sees the other.
    owner = null;
    upkeep = Upkeep.NONE;
    shared = false;
    trim();
  }

  /**
   * Sees to it that an abandoned heap without pages is not adopted any more.
   *
   * @return whether that is so, now or since an earlier call; false if it is no such heap, or
   *     somebody is busy with it
   */
  public final boolean discard() {
    if (owner != null || !tryLock()) {
      return false;
    }
    try {
      discarded |= isAbandoned() && !hasPages();
      return discarded;
    } finally {
      unlock();
    }
  }

  /**
   * Does what the mailbox of a heap without an owner asks for, unless somebody else is about to.
   *
   * <p>No notice is left behind: one that is posted while another thread has the lock is seen by
   * that thread, which looks again after it has opened the lock.
   */
  private void help() {
    while (!mailbox.isEmpty() && owner == null && tryLock()) {
      try {
        if (owner == null) {
          takeMail();
        }
      } finally {
        locked = false; // the loop looks again
      }
    }
  }

  /** Any thread that was told that the holder asked for the page. */
  final void tell(Page<B> page) {
    mailbox.post(page);
    help();
    upkeep.request(); // the owner may sit idle, and of a shared heap only this page was settled
  }

  /** Has the owner trim the heap as soon as its executor has time. */
  public final void trimSoon() {
    upkeep.requestNow();
  }

  private Upkeep upkeepOn(UpkeepExecutor executor) {
    return new Upkeep(executor, trimDelayMillis, trimByOwner, whenRefused);
  }

  /** Any thread: the executor may have got another one. */
  private void trimByOwner() {
    if (isOwner(Thread.currentThread())) {
      trim();
    }
  }
}
