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
  void nothingIsUsedOnceClosedWhileInUse() {
    ModelChecking.check(CloseAndUse.class);
  }

  @Test
  void lastReleaseAndCloseLeaveNothingUsed() {
    ModelChecking.check(CloseAndRelease.class);
  }

  @Test
  void whoAcquiresIsRefusedOrTold() {
    ModelChecking.check(CloseAndAcquire.class);
  }

  @Test
  void acquiredHeapIsKnown() {
    ModelChecking.check(DiscardAndAcquire.class);
  }

  @Test
  void heapThatATrimKeepsFromRemovalIsRemovedInTheEnd() {
    ModelChecking.check(DiscardAndTrim.class);
  }

  abstract static class HeapsRace extends ModelChecking.Race {

    final RacedAllocator heaps;

    HeapsRace(RacedAllocator heaps) {
      this.heaps = heaps;
    }

    final void requireNothingUsed() {
      require(heaps.isNothingUsed(), "memory is kept that nobody uses");
    }
  }

  /** Upkeep comes to a shared heap while a thread uses it. */
  public static class UpkeepAndUse extends HeapsRace {

    public UpkeepAndUse() {
      super(RacedAllocator.withUpkeep());
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
      heaps.finishUpkeep();
      requireNothingUsed();
    }
  }

  /** The allocator is closed while a thread that owns no heap allocates. */
  public static class CloseAndUse extends HeapsRace {

    public CloseAndUse() {
      super(RacedAllocator.withRoom());
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

  /** The allocator is closed while the last block of a shared heap is released. */
  public static class CloseAndRelease extends HeapsRace {

    public CloseAndRelease() {
      super(RacedAllocator.withoutUpkeep());
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

  /** The allocator is closed while a thread comes for a heap of its own. */
  public static class CloseAndAcquire extends HeapsRace {

    private boolean acquired;

    public CloseAndAcquire() {
      super(RacedAllocator.withoutUpkeep());
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

  /** Upkeep forgets an abandoned heap without pages while a thread comes for a heap of its own. */
  public static class DiscardAndAcquire extends HeapsRace {

    public DiscardAndAcquire() {
      super(RacedAllocator.withEmptyHeap());
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

  /** Upkeep forgets an abandoned heap without pages while a thread trims it. */
  public static class DiscardAndTrim extends HeapsRace {

    public DiscardAndTrim() {
      super(RacedAllocator.withEmptyHeap());
    }

    @Override
    protected void doOurs() {
      heaps.runUpkeep();
    }

    @Override
    protected void doTheirs() {
      heaps.trim();
    }

    @Override
    public void atRest() {
      heaps.finishUpkeep();
      require(!heaps.areOwnedThere(), "a heap stays that nobody needs");
    }
  }
}
