package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A heap changes hands while others release its blocks: nobody leaves a notice, a block or a page
 * behind. Each race is run on the heap and on a simple one with a bug, which it must find.
 */
@Tag("model-checking")
class HeapModelCheckingTest {

  private static final int BLOCKS = 4;

  @Test
  void releasedBlockOfExhaustedPageIsFound() {
    ModelChecking.check(Exhausted.class);
  }

  @Test
  void questionByPlainWriteLosesBlock() {
    ModelChecking.assertFound(ExhaustedAskedByPlainWrite.class);
  }

  @Test
  void lateNoticeIsFollowedByAnotherQuestion() {
    ModelChecking.check(LateNotice.class);
  }

  @Test
  void missingQuestionLosesPage() {
    ModelChecking.assertFound(LateNoticeWithoutQuestion.class);
  }

  @Test
  void abandonedPageIsGivenBack() {
    ModelChecking.check(Abandon.class);
  }

  @Test
  void settlingBeforeNoOwnerIsPublishedLosesPage() {
    ModelChecking.assertFound(AbandonCollectsFirst.class);
  }

  @Test
  void oneOfTwoFindersSettles() {
    ModelChecking.check(TwoFinders.class);
  }

  @Test
  void abandonUnderNoLockSettlesTwice() {
    ModelChecking.assertFound(TwoFindersWithoutLock.class);
  }

  @Test
  void finderThatComesLateHelps() {
    ModelChecking.check(LateFinder.class);
  }

  @Test
  void finderThatLeavesAtOnceLosesPage() {
    ModelChecking.assertFound(LateFinderLeaves.class);
  }

  @Test
  void helpersLeaveNoNotice() {
    ModelChecking.check(TwoHelpers.class);
  }

  @Test
  void helperThatDoesNotLookAgainLosesPage() {
    ModelChecking.assertFound(TwoHelpersThatLookOnce.class);
  }

  @Test
  void adoptedPageIsGivenBackByEither() {
    ModelChecking.check(Adopt.class);
  }

  @Test
  void adoptionUnderNoLockMakesTwoHolders() {
    ModelChecking.assertFound(AdoptWithoutLock.class);
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
  void answerForGonePageGivesItBackTwice() {
    ModelChecking.assertFound(GiveBackAnswersForGonePage.class);
  }

  @Test
  void unlockingLeavesNoNotice() {
    ModelChecking.check(Visit.class);
  }

  @Test
  void unlockWithoutHelpLeavesNotice() {
    ModelChecking.assertFound(VisitWithoutHelp.class);
  }

  @Test
  void twoAllocatorsGetABlockEach() {
    ModelChecking.check(TwoAllocators.class);
  }

  @Test
  void lockInTwoStepsHandsABlockOutTwice() {
    ModelChecking.assertFound(TwoAllocatorsLockInTwoSteps.class);
  }

  /** The owner finds its page exhausted while a block of it is released. */
  public static class Exhausted extends HeapRace {

    private int found;

    public Exhausted() {
      this(RealHeap.owned(BLOCKS));
    }

    Exhausted(HeapView heap) {
      super(heap);
    }

    @Override
    protected void doOurs() {
      found = allocate(1);
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

  public static final class ExhaustedAskedByPlainWrite extends Exhausted {
    public ExhaustedAskedByPlainWrite() {
      super(HeapBugs.asksInTwoSteps(BLOCKS));
    }
  }

  /** A notice comes when its block was found already and the page is exhausted again. */
  public static class LateNotice extends HeapRace {

    public LateNotice() {
      this(RealHeap.owned(BLOCKS));
    }

    LateNotice(HeapView heap) {
      super(heap);
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

  public static final class LateNoticeWithoutQuestion extends LateNotice {
    public LateNoticeWithoutQuestion() {
      super(HeapBugs.answersWithoutQuestion(BLOCKS));
    }
  }

  /** A heap loses its owner while the last blocks are released. */
  public static class Abandon extends HeapRace {

    public Abandon() {
      this(RealHeap.owned(2));
    }

    Abandon(HeapView heap) {
      super(heap);
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

  public static final class AbandonCollectsFirst extends Abandon {
    public AbandonCollectsFirst() {
      super(HeapBugs.abandonCollectsFirst(2));
    }
  }

  /** Two threads find the owner dead. */
  public static class TwoFinders extends HeapRace {

    public TwoFinders() {
      this(RealHeap.owned(1));
    }

    TwoFinders(HeapView heap) {
      super(heap);
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

  public static final class TwoFindersWithoutLock extends TwoFinders {
    public TwoFindersWithoutLock() {
      super(HeapBugs.abandonUnderNoLock(1));
    }
  }

  /** One who found the owner dead too late has the lock while the last block is released. */
  public static class LateFinder extends HeapRace {

    public LateFinder() {
      this(RealHeap.owned(1));
    }

    LateFinder(HeapView heap) {
      super(heap);
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

  public static final class LateFinderLeaves extends LateFinder {
    public LateFinderLeaves() {
      super(HeapBugs.lateFinderLeavesAtOnce(1));
    }
  }

  /** The last blocks of an abandoned heap are released by two threads. */
  public static class TwoHelpers extends HeapRace {

    public TwoHelpers() {
      this(RealHeap.owned(2));
    }

    TwoHelpers(HeapView heap) {
      super(heap);
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

  public static final class TwoHelpersThatLookOnce extends TwoHelpers {
    public TwoHelpersThatLookOnce() {
      super(HeapBugs.helpsOnce(2));
    }
  }

  /** An abandoned heap is adopted while its last block is released. */
  public static class Adopt extends HeapRace {

    private boolean adopted;

    public Adopt() {
      this(RealHeap.owned(1));
    }

    Adopt(HeapView heap) {
      super(heap);
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

  public static final class AdoptWithoutLock extends Adopt {
    public AdoptWithoutLock() {
      super(HeapBugs.adoptsUnderNoLock(1));
    }
  }

  /** The last block of an abandoned heap is released while a thread fails to adopt the heap. */
  public static class FailedAdopt extends HeapRace {

    private final RealHeap real;

    public FailedAdopt() {
      this(RealHeap.owned(1));
    }

    private FailedAdopt(RealHeap real) {
      super(real);
      this.real = real;
      real.abandon();
    }

    @Override
    protected void doOurs() {
      real.failToAdopt();
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
      this(RealHeap.owned(1));
    }

    GiveBack(HeapView heap) {
      super(heap);
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      if (heap.adopt() && heap.timesGivenBack() == 0) {
        int block = heap.allocate();
        if (block != HeapView.NONE) {
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

  public static final class GiveBackAnswersForGonePage extends GiveBack {
    public GiveBackAnswersForGonePage() {
      super(HeapBugs.answersForGonePage(1));
    }
  }

  /** A shared heap's lock is opened while somebody who saw it taken posts a notice. */
  public static class Visit extends HeapRace {

    public Visit() {
      this(RealHeap.shared(BLOCKS));
    }

    Visit(HeapView heap) {
      super(heap);
      heap.allocate(); // finds the page exhausted and asks
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
      require(!heap.hasMail(), "a notice is left");
    }
  }

  public static final class VisitWithoutHelp extends Visit {
    public VisitWithoutHelp() {
      super(HeapBugs.unlocksAndLeaves(BLOCKS));
    }
  }

  /** Two threads allocate from a shared heap. */
  public static class TwoAllocators extends HeapRace {

    private int ours;
    private int theirs;

    public TwoAllocators() {
      this(RealHeap.shared(2));
    }

    TwoAllocators(HeapView heap) {
      super(heap);
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

  public static final class TwoAllocatorsLockInTwoSteps extends TwoAllocators {
    public TwoAllocatorsLockInTwoSteps() {
      super(HeapBugs.locksInTwoSteps(2));
    }
  }
}
