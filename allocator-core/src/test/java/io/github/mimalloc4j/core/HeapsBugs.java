package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.HeapView;
import io.github.mimalloc4j.core.heap.SimpleHeap;

/** Allocators with a planted bug. */
public final class HeapsBugs {

  private HeapsBugs() {}

  /** Upkeep that finds a shared heap busy leaves it at that. */
  public static HeapsView upkeepLeavesBusyHeap() {
    return new SimpleHeaps(true) {
      @Override
      void askAgain() {}
    };
  }

  /** Who allocates looks whether the allocator was closed before it has the heap's lock. */
  public static HeapsView looksBeforeItLocks() {
    return new SimpleHeaps(false) {
      @Override
      int allocateShared() {
        return closed ? HeapView.NONE : shared.allocateShared();
      }
    };
  }

  /** Who acquires a heap does not look again whether the allocator was closed meanwhile. */
  public static HeapsView acquireLooksOnce() {
    return new SimpleHeaps(false) {
      @Override
      public boolean acquire() {
        if (closed) {
          return false;
        }
        acquired(adoptOrAdd());
        return true;
      }
    };
  }

  /** Who closes does not wait for a busy shared heap. */
  public static HeapsView closeLeavesBusyHeap() {
    return new SimpleHeaps(false) {
      @Override
      void endSharing() {
        if (shared.tryLock()) {
          shared.leave();
          shared.unlock();
          shared.help();
        }
      }
    };
  }

  /** A heap is adopted that was discarded. */
  public static HeapsView adoptsDiscarded() {
    return new SimpleHeaps(true) {
      @Override
      SimpleHeap newOwned() {
        return new SimpleHeap(true, 0) {
          @Override
          public boolean mayBeAdopted() {
            return !owned;
          }
        };
      }
    };
  }
}
