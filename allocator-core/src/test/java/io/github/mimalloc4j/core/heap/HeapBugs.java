package io.github.mimalloc4j.core.heap;

/** BlockAllocator with a planted bug. */
public final class HeapBugs {

  private HeapBugs() {}

  /** The owner looks and asks in two steps. */
  public static HeapView asksInTwoSteps(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      void ask() {
        if (!asked && deferred.get() == 0) {
          deferred.set(ASKED);
          asked = true;
        }
      }
    };
  }

  /** A notice is answered with a look, and no other question. */
  public static HeapView answersWithoutQuestion(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      void takeMail() {
        if (mail.getAndSet(false)) {
          asked = false;
          collect();
        }
      }
    };
  }

  /** A notice is answered although its page was given back. */
  public static HeapView answersForGonePage(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      void takeMail() {
        boolean late = gone && mail.get();
        super.takeMail();
        if (late && free == ALL) {
          giveBack();
        }
      }
    };
  }

  /** The heap is settled before "no owner" is published. */
  public static HeapView abandonCollectsFirst(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      public void abandon() {
        acquireLock();
        trim();
        owned = false;
        unlock();
      }
    };
  }

  /** Whoever finds the owner dead settles the heap without the lock. */
  public static HeapView abandonUnderNoLock(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      public void abandon() {
        if (owned) {
          trim();
          owned = false;
        }
      }
    };
  }

  /** Who comes when the heap is abandoned already does not look into the mailbox. */
  public static HeapView lateFinderLeavesAtOnce(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      public void abandon() {
        acquireLock();
        boolean late = !owned;
        if (!late) {
          leave();
        }
        unlock();
        if (!late) {
          help();
        }
      }
    };
  }

  /** Helpers do not look again after they have opened the lock. */
  public static HeapView helpsOnce(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      public void help() {
        if (mail.get() && tryLock()) {
          takeMail();
          unlock();
        }
      }
    };
  }

  /** The new owner does not take the lock, which a helper may have. */
  public static HeapView adoptsUnderNoLock(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      public boolean adopt() {
        boolean adopted = !owned;
        owned = true;
        return adopted;
      }
    };
  }

  /** The lock is opened without a look at the mailbox. */
  public static HeapView unlocksAndLeaves(int blocksInUse) {
    return new SimpleHeap(false, blocksInUse) {
      @Override
      public boolean visit() {
        boolean free = tryLock();
        if (free) {
          unlock();
        }
        return free;
      }
    };
  }

  /** The lock is looked at and taken in two steps. */
  public static HeapView locksInTwoSteps(int blocksInUse) {
    return new SimpleHeap(false, blocksInUse) {
      @Override
      public boolean tryLock() {
        boolean free = !lock.get();
        if (free) {
          lock.set(true);
        }
        return free;
      }
    };
  }

  /** A trim asks for exhausted pages only, as if the owner came across the others. */
  public static HeapView trimLeavesQueuedPages(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      void settle(boolean nobodyComes) {
        super.settle(false);
      }
    };
  }

  /** Who tells does not ask for upkeep, as if the owner took the mail in any case. */
  public static HeapView tellsWithoutRequest(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      void tell() {
        mail.set(true);
        help();
      }
    };
  }

  /** Who tells looks for the owner before it posts. */
  public static HeapView tellLooksForTheOwnerFirst(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      void tell() {
        boolean alone = !owned;
        mail.set(true);
        if (alone) {
          help();
        }
        request();
      }
    };
  }

  /** The new owner does not look for what came while nobody was responsible. */
  public static HeapView adoptsWithoutRequest(int blocksInUse) {
    return new SimpleHeap(true, blocksInUse) {
      @Override
      void startUpkeep() {}
    };
  }
}
