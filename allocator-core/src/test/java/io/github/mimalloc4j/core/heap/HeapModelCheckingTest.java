package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A heap changes hands while others release its blocks: nobody leaves a notice, a block or a page
 * behind.
 */
@Tag("model-checking")
class HeapModelCheckingTest {

  private static final int BLOCKS = 4;

  @Test
  void releasedBlockOfExhaustedPageIsFound() {
    ModelChecking.check(Exhausted.class);
  }

  @Test
  void lateNoticeIsFollowedByAnotherQuestion() {
    ModelChecking.check(LateNotice.class);
  }

  @Test
  void abandonedPageIsGivenBack() {
    ModelChecking.check(Abandon.class);
  }

  @Test
  void oneOfTwoFindersSettles() {
    ModelChecking.check(TwoFinders.class);
  }

  @Test
  void finderThatComesLateHelps() {
    ModelChecking.check(LateFinder.class);
  }

  @Test
  void helpersLeaveNoNotice() {
    ModelChecking.check(TwoHelpers.class);
  }

  @Test
  void adoptedPageIsGivenBackByEither() {
    ModelChecking.check(Adopt.class);
  }

  @Test
  void failedAdoptionLeavesNoNotice() {
    ModelChecking.check(FailedAdopt.class);
  }

  @Test
  void noticeOfPageThatIsGoneIsIgnored() {
    ModelChecking.check(GiveBack.class);
  }

  @Test
  void pageIsStolenOrServesItsOwner() {
    ModelChecking.check(Steal.class);
  }

  @Test
  void pageWithABlockReleasedTwiceHasOneHolder() {
    ModelChecking.check(StealAfterDoubleRelease.class);
  }

  @Test
  void unlockingLeavesNoNotice() {
    ModelChecking.check(Visit.class);
  }

  @Test
  void twoAllocatorsGetABlockEach() {
    ModelChecking.check(TwoAllocators.class);
  }

  @Test
  void releaseUnderTheLockLeavesABlockEach() {
    ModelChecking.check(BiasedRelease.class);
  }

  /** The owner looks for a block. */
  abstract static class OwnerAllocates extends HeapRace {

    /** How many it found: 0 or 1. */
    int found;

    OwnerAllocates(RacedHeap heap) {
      super(heap);
    }

    @Override
    protected void doOurs() {
      found = allocate(1);
    }
  }

  /** The owner finds its page exhausted while a block of it is released. */
  public static class Exhausted extends OwnerAllocates {

    public Exhausted() {
      super(RacedHeap.owned(BLOCKS));
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      heap.releaseElsewhere(1);
      found += allocate(BLOCKS + 2); // those of the page that was added meanwhile may come first
      require(found == 2, "released blocks are lost, found of two: " + found);
    }
  }

  /** A notice comes when its block was found already and the page is exhausted again. */
  public static class LateNotice extends HeapRace {

    public LateNotice() {
      super(RacedHeap.owned(BLOCKS));
      allocate(BLOCKS); // the first page is asked for, the second one exhausted
      heap.release(1); // the first page is in the queue again
    }

    @Override
    protected void doOurs() {
      allocate(3);
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      allocate(1); // takes the mail at the latest
      heap.releaseElsewhere(2);
      require(allocate(BLOCKS + 1) > 0, "the page was not asked for again");
    }
  }

  /** The owner looks for a block of a page that another thread steals. */
  public static class Steal extends OwnerAllocates {

    private boolean stolen;

    public Steal() {
      super(RacedHeap.ownedWithLastInUse());
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
      stolen = heap.steal();
    }

    @Override
    public void atRest() {
      require(stolen == (found == 0), "stolen: " + stolen + ", found by the owner: " + found);
      require(!heap.isBroken(), "the page was stolen too early");
    }
  }

  /** The owner collects a block that is on the deferred list again, when all others are, too. */
  public static class StealAfterDoubleRelease extends OwnerAllocates {

    private boolean stolen;

    public StealAfterDoubleRelease() {
      super(RacedHeap.owned(BLOCKS));
      heap.releaseTwice(0);
      allocate(1); // in use again, and on the list
    }

    @Override
    protected void doTheirs() {
      for (int block = BLOCKS - 1; block >= 0; block--) {
        heap.releaseElsewhere(block);
      }
      stolen = heap.steal();
    }

    @Override
    public void atRest() {
      require(!stolen || found == 0, "stolen, and the owner has a block");
      require(!heap.isBroken(), "an operation failed");
    }
  }

  /** A heap loses its owner while the last blocks are released. */
  public static class Abandon extends HeapRace {

    public Abandon() {
      super(RacedHeap.owned(2));
    }

    @Override
    protected void doOurs() {
      heap.abandon();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
      heap.releaseElsewhere(1);
    }

    @Override
    public void atRest() {
      requireGivenBackOnce();
    }
  }

  /** Two threads find the owner dead. */
  public static class TwoFinders extends HeapRace {

    public TwoFinders() {
      super(RacedHeap.owned(1));
      heap.releaseElsewhere(0);
    }

    @Override
    protected void doOurs() {
      heap.abandon();
    }

    @Override
    protected void doTheirs() {
      heap.abandon();
    }

    @Override
    public void atRest() {
      requireGivenBackOnce();
    }
  }

  /** One who found the owner dead too late has the lock while the last block is released. */
  public static class LateFinder extends HeapRace {

    public LateFinder() {
      super(RacedHeap.owned(1));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      heap.abandon();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      requireGivenBackOnce();
    }
  }

  /** The last blocks of an abandoned heap are released by two threads. */
  public static class TwoHelpers extends HeapRace {

    public TwoHelpers() {
      super(RacedHeap.owned(2));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      heap.releaseElsewhere(0);
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(1);
    }

    @Override
    public void atRest() {
      requireGivenBackOnce();
    }
  }

  /** An abandoned heap is adopted while its last block is released. */
  public static class Adopt extends HeapRace {

    private boolean adopted;

    public Adopt() {
      super(RacedHeap.owned(1));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      adopted = heap.adopt();
      if (adopted) {
        heap.trim();
      }
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      if (adopted) {
        heap.trim();
      }
      requireGivenBackOnce();
    }
  }

  /** The last block of an abandoned heap is released while a thread fails to adopt the heap. */
  public static class FailedAdopt extends HeapRace {

    public FailedAdopt() {
      super(RacedHeap.owned(1));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      heap.failToAdopt();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      requireGivenBackOnce();
    }
  }

  /** The owner finds a deferred block and gives the page back before the notice of it comes. */
  public static class GiveBack extends HeapRace {

    public GiveBack() {
      super(RacedHeap.owned(1));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      if (heap.adopt() && heap.isInUse()) {
        int block = heap.allocate();
        if (block != RacedHeap.NONE) {
          heap.release(block);
        }
        heap.trim();
      }
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      heap.trim();
      requireGivenBackOnce();
    }
  }

  /** An abandoned heap's lock is opened while somebody who saw it taken posts a notice. */
  public static class Visit extends HeapRace {

    public Visit() {
      super(RacedHeap.owned(1));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      heap.visit();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      requireGivenBackOnce();
    }
  }

  /** Two threads allocate from a shared heap. */
  public static class TwoAllocators extends HeapRace {

    private int ours;
    private int theirs;

    public TwoAllocators() {
      super(RacedHeap.shared(2));
    }

    @Override
    protected void doOurs() {
      ours = heap.allocateShared();
    }

    @Override
    protected void doTheirs() {
      theirs = heap.allocateShared();
    }

    @Override
    public void atRest() {
      require(Math.min(ours, theirs) == 2 && Math.max(ours, theirs) == 3, "not a block each");
    }
  }

  /** A thread releases a block of a shared heap that is biased to it; another one allocates. */
  public static class BiasedRelease extends HeapRace {

    private int theirs;

    public BiasedRelease() {
      super(RacedHeap.shared(2));
    }

    @Override
    protected void doOurs() {
      heap.releaseShared(heap.allocateShared());
    }

    @Override
    protected void doTheirs() {
      theirs = heap.allocateShared();
    }

    @Override
    public void atRest() {
      int next = heap.allocate();
      require(Math.min(theirs, next) == 2 && Math.max(theirs, next) == 3, "not a block each");
    }
  }
}
