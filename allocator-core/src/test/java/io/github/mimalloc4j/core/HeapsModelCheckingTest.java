package io.github.mimalloc4j.core;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Upkeep and closing go over the heaps while threads allocate, release and come for a heap. */
@Tag("model-checking")
class HeapsModelCheckingTest {

  @Test
  void sharedHeapInUseIsTrimmedInTheEnd() {
    ModelChecking.check(UpkeepAndUse.class);
  }

  @Test
  void upkeepThatLeavesBusyHeapKeepsPage() {
    ModelChecking.assertFound(UpkeepLeavesBusyHeap.class);
  }

  @Test
  void nothingIsUsedOnceClosedWhileInUse() {
    ModelChecking.check(CloseAndUse.class);
  }

  @Test
  void lookingBeforeLockingAllocatesFromHeapThatWasGivenUp() {
    ModelChecking.assertFound(CloseAndUseLooksBeforeItLocks.class);
  }

  @Test
  void lastReleaseAndCloseLeaveNothingUsed() {
    ModelChecking.check(CloseAndRelease.class);
  }

  @Test
  void closingThatLeavesBusyHeapKeepsPage() {
    ModelChecking.assertFound(CloseLeavesBusyHeap.class);
  }

  @Test
  void whoAcquiresIsRefusedOrTold() {
    ModelChecking.check(CloseAndAcquire.class);
  }

  @Test
  void acquiringWithoutAnotherLookLeavesOwnerUntold() {
    ModelChecking.assertFound(CloseAndAcquireLooksOnce.class);
  }

  @Test
  void acquiredHeapIsKnown() {
    ModelChecking.check(DiscardAndAcquire.class);
  }

  @Test
  void adoptingDiscardedHeapMakesItsOwnerUnknown() {
    ModelChecking.assertFound(DiscardAndAcquireDiscarded.class);
  }

  abstract static class HeapsRace extends ModelChecking.Race {

    final HeapsView heaps;

    HeapsRace(HeapsView heaps) {
      this.heaps = heaps;
    }

    final void requireNothingUsed() {
      require(heaps.isNothingUsed(), "memory is kept that nobody uses");
    }
  }

  /** Upkeep comes to a shared heap while a thread uses it. */
  public static class UpkeepAndUse extends HeapsRace {

    public UpkeepAndUse() {
      this(RealHeaps.withUpkeep());
    }

    UpkeepAndUse(HeapsView heaps) {
      super(heaps);
      heaps.keep();
    }

    @Override
    protected void doOurs() {
      heaps.runUpkeep();
    }

    @Override
    protected void doTheirs() {
      heaps.use();
      heaps.releaseKept();
    }

    @Override
    public void atRest() {
      boolean more = true;
      while (more) {
        more = heaps.runUpkeep();
      }
      requireNothingUsed();
    }
  }

  public static final class UpkeepLeavesBusyHeap extends UpkeepAndUse {
    public UpkeepLeavesBusyHeap() {
      super(HeapsBugs.upkeepLeavesBusyHeap());
    }
  }

  /** The allocator is closed while a thread that owns no heap allocates. */
  public static class CloseAndUse extends HeapsRace {

    public CloseAndUse() {
      this(RealHeaps.withRoom());
    }

    CloseAndUse(HeapsView heaps) {
      super(heaps);
    }

    @Override
    protected void doOurs() {
      heaps.close();
    }

    @Override
    protected void doTheirs() {
      heaps.use();
    }

    @Override
    public void atRest() {
      requireNothingUsed();
      require(!heaps.use(), "a closed allocator gives blocks");
    }
  }

  public static final class CloseAndUseLooksBeforeItLocks extends CloseAndUse {
    public CloseAndUseLooksBeforeItLocks() {
      super(HeapsBugs.looksBeforeItLocks());
    }
  }

  /** The allocator is closed while the last block of a shared heap is released. */
  public static class CloseAndRelease extends HeapsRace {

    public CloseAndRelease() {
      this(RealHeaps.withoutUpkeep());
    }

    CloseAndRelease(HeapsView heaps) {
      super(heaps);
      heaps.keep();
      heaps.trim(); // the page is asked for
    }

    @Override
    protected void doOurs() {
      heaps.close();
    }

    @Override
    protected void doTheirs() {
      heaps.releaseKept();
    }

    @Override
    public void atRest() {
      requireNothingUsed();
    }
  }

  public static final class CloseLeavesBusyHeap extends CloseAndRelease {
    public CloseLeavesBusyHeap() {
      super(HeapsBugs.closeLeavesBusyHeap());
    }
  }

  /** The allocator is closed while a thread comes for a heap of its own. */
  public static class CloseAndAcquire extends HeapsRace {

    private boolean acquired;

    public CloseAndAcquire() {
      this(RealHeaps.withoutUpkeep());
    }

    CloseAndAcquire(HeapsView heaps) {
      super(heaps);
    }

    @Override
    protected void doOurs() {
      heaps.close();
    }

    @Override
    protected void doTheirs() {
      acquired = heaps.acquire();
    }

    @Override
    public void atRest() {
      require(acquired == heaps.hasOwner(), "an owner that was refused, or none");
      require(!acquired || heaps.isOwnerTold(), "an owner that nobody told");
    }
  }

  public static final class CloseAndAcquireLooksOnce extends CloseAndAcquire {
    public CloseAndAcquireLooksOnce() {
      super(HeapsBugs.acquireLooksOnce());
    }
  }

  /** Upkeep forgets an abandoned heap without pages while a thread comes for a heap of its own. */
  public static class DiscardAndAcquire extends HeapsRace {

    public DiscardAndAcquire() {
      this(RealHeaps.withUpkeep());
    }

    DiscardAndAcquire(HeapsView heaps) {
      super(heaps);
      heaps.acquire();
      heaps.abandon();
    }

    @Override
    protected void doOurs() {
      heaps.runUpkeep();
    }

    @Override
    protected void doTheirs() {
      heaps.acquire();
    }

    @Override
    public void atRest() {
      require(!heaps.isOwnerForgotten(), "an owned heap is not known");
    }
  }

  public static final class DiscardAndAcquireDiscarded extends DiscardAndAcquire {
    public DiscardAndAcquireDiscarded() {
      super(HeapsBugs.adoptsDiscarded());
    }
  }
}
