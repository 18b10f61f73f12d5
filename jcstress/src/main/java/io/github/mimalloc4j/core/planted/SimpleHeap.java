package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.HeapView;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The protocols of a heap for one page with sets of blocks, a bit each: right, until a subclass
 * plants a bug in one of the steps.
 */
class SimpleHeap implements HeapView {

  static final int BLOCKS = 4;
  static final int ALL = (1 << BLOCKS) - 1;

  /** In the deferred set, the question to be told. */
  static final int ASKED = 1 << BLOCKS;

  final AtomicInteger deferred = new AtomicInteger();
  final AtomicBoolean mail = new AtomicBoolean();
  final AtomicBoolean lock = new AtomicBoolean();
  private final AtomicInteger timesGivenBack = new AtomicInteger();
  volatile boolean owned;

  /** The holder's alone, as are those below. */
  int free;

  boolean asked;
  private boolean queued = true;
  private boolean gone;

  SimpleHeap(boolean owned, int blocksInUse) {
    this.owned = owned;
    free = ALL & -1 << blocksInUse;
  }

  @Override
  public int allocate() {
    takeMail();
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
      mail.set(true);
      help();
    }
  }

  @Override
  public void abandon() {
    acquireLock();
    if (owned) {
      owned = false;
      settle();
    }
    unlock();
    help();
  }

  @Override
  public boolean adopt() {
    if (owned || !tryLock()) {
      return false;
    }
    boolean free = !owned;
    owned = true;
    unlock();
    return free;
  }

  @Override
  public void trim() {
    takeMail();
    collect();
    giveBackIfEmpty();
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

  boolean tryLock() {
    return lock.compareAndSet(false, true);
  }

  final void acquireLock() {
    while (!tryLock()) {
      Thread.onSpinWait();
    }
  }

  final void unlock() {
    lock.set(false);
  }

  void help() {
    while (mail.get() && !owned && tryLock()) {
      if (!owned) {
        takeMail();
      }
      unlock();
    }
  }

  void takeMail() {
    if (mail.getAndSet(false)) {
      asked = false;
      settle();
    }
  }

  /** Leaves the page given back, or asked for. */
  final void settle() {
    do {
      collect();
      if (giveBackIfEmpty()) {
        return;
      }
      ask();
    } while (!asked);
  }

  final void collect() {
    if ((deferred.get() & ALL) != 0) {
      free |= deferred.getAndSet(0) & ALL;
      queued = true;
    }
  }

  void ask() {
    if (!asked) {
      asked = deferred.compareAndSet(0, ASKED);
    }
  }

  private int pop() {
    int block = free == 0 ? NONE : Integer.numberOfTrailingZeros(free);
    free &= free - 1;
    return block;
  }

  private boolean giveBackIfEmpty() {
    if (free == ALL && !gone) {
      gone = true;
      timesGivenBack.incrementAndGet();
    }
    return gone;
  }
}
