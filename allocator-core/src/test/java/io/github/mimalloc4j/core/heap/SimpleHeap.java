package io.github.mimalloc4j.core.heap;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The protocols of a heap for one page with sets of blocks, a bit each: right, until a subclass
 * plants a bug in one of the steps.
 */
public class SimpleHeap implements HeapView {

  static final int BLOCKS = 4;
  static final int ALL = (1 << BLOCKS) - 1;

  /** In the deferred set, the question to be told. */
  static final int ASKED = 1 << BLOCKS;

  final AtomicInteger deferred = new AtomicInteger();
  final AtomicBoolean mail = new AtomicBoolean();
  final AtomicBoolean lock = new AtomicBoolean();
  private final AtomicInteger timesGivenBack = new AtomicInteger();
  public volatile boolean owned;

  /** Null for none. */
  public volatile @Nullable UpkeepView upkeep;

  /** The holder's alone, as are those below. */
  int free;

  boolean asked;
  public boolean gone;
  boolean discarded;
  private boolean shared;
  private boolean queued = true;

  /** A heap that its owner has just made the page of, or a shared one without upkeep. */
  public SimpleHeap(boolean owned, int blocksInUse) {
    this.owned = owned;
    shared = !owned;
    free = ALL & -1 << blocksInUse;
    if (owned) {
      upkeep = new SimpleUpkeep(this::trim);
      request();
    }
  }

  @Override
  public int allocate() {
    takeMail();
    if (gone) {
      addPage();
    }
    while (queued) {
      collect();
      int block = pop();
      if (block != NONE) {
        return block;
      }
      ask();
      queued = !asked;
    }
    return NONE;
  }

  @Override
  public void release(int block) {
    free |= 1 << block;
    queued = true;
  }

  @Override
  public void releaseElsewhere(int block) {
    int bit = 1 << block;
    if ((deferred.getAndUpdate(seen -> seen & ~ASKED | bit) & ASKED) != 0) {
      tell();
    }
  }

  void tell() {
    mail.set(true);
    help();
    request();
  }

  @Override
  public void abandon() {
    acquireLock();
    if (owned) {
      leave();
    }
    unlock();
    help();
  }

  /** Ends ownership or sharing. Under the lock. */
  public final void leave() {
    owned = false;
    upkeep = null;
    shared = false;
    trim();
  }

  @Override
  public boolean adopt() {
    if (owned || !tryLock()) {
      return false;
    }
    boolean adopted = mayBeAdopted();
    if (adopted) {
      upkeep = new SimpleUpkeep(this::trim);
      owned = true;
    }
    unlock();
    if (adopted) {
      startUpkeep();
    }
    return adopted;
  }

  public boolean mayBeAdopted() {
    return !owned && !discarded;
  }

  void startUpkeep() {
    request();
  }

  /** Whether it was abandoned and empty, and is not to be adopted any more. */
  public final boolean discard() {
    if (owned || !tryLock()) {
      return false;
    }
    boolean now = !owned && gone && !discarded;
    discarded |= now;
    unlock();
    help();
    return now;
  }

  @Override
  public void trim() {
    takeMail();
    if (!gone && !asked) {
      settle(true);
    }
    giveBackIfEmpty();
  }

  public final void request() {
    UpkeepView current = upkeep;
    if (current != null) {
      current.request();
    }
  }

  @Override
  public boolean runUpkeep() {
    UpkeepView current = upkeep;
    return current != null && current.runIfRequested();
  }

  @Override
  public boolean visit() {
    if (!tryLock()) {
      return false;
    }
    unlock();
    help();
    return true;
  }

  @Override
  public int allocateShared() {
    acquireLock();
    int block = allocate();
    unlock();
    help();
    return block;
  }

  @Override
  public boolean hasMail() {
    return mail.get();
  }

  @Override
  public int timesGivenBack() {
    return timesGivenBack.get();
  }

  public boolean tryLock() {
    return lock.compareAndSet(false, true);
  }

  public final void acquireLock() {
    while (!tryLock()) {
      Thread.onSpinWait();
    }
  }

  public final void unlock() {
    lock.set(false);
  }

  public void help() {
    while (mail.get() && !owned && tryLock()) {
      if (!owned) {
        takeMail();
      }
      unlock();
    }
  }

  void takeMail() {
    if (mail.getAndSet(false)) {
      boolean abandoned = !owned && !shared;
      asked = false;
      if (!gone) {
        settle(abandoned);
      }
      if (abandoned) {
        giveBackIfEmpty();
      }
    }
  }

  /** Leaves the page in the queue where somebody comes, else empty, or asked for. */
  void settle(boolean nobodyComes) {
    do {
      collect();
      if (nobodyComes ? free == ALL : queued) {
        return;
      }
      ask();
    } while (!asked);
  }

  final void collect() {
    if ((deferred.get() & ALL) != 0) {
      free |= deferred.getAndSet(0) & ALL;
      queued = true;
      if (free == ALL) {
        request();
      }
    }
  }

  void ask() {
    if (!asked && deferred.compareAndSet(0, ASKED)) {
      asked = true;
    }
  }

  private int pop() {
    int block = free == 0 ? NONE : Integer.numberOfTrailingZeros(free);
    free &= free - 1;
    return block;
  }

  private void addPage() {
    gone = false;
    asked = false;
    deferred.set(0);
    queued = true;
    request();
  }

  private void giveBackIfEmpty() {
    if (free == ALL && !gone) {
      giveBack();
    }
  }

  final void giveBack() {
    gone = true;
    timesGivenBack.incrementAndGet();
  }
}
