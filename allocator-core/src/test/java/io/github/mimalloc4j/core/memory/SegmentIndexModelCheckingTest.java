package io.github.mimalloc4j.core.memory;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** At rest the index leads to each segment by what it has. */
@Tag("model-checking")
class SegmentIndexModelCheckingTest {

  @Test
  void theLastChangeOfASegmentIsInTheIndex() {
    ModelChecking.checkAllSteps(ReleasesInOne.class);
  }

  @Test
  void aChangeThatWasCutShortIsMended() {
    ModelChecking.checkAllSteps(ChangeCutShort.class);
  }

  @Test
  void whatAClaimTookBackIsInTheIndex() {
    ModelChecking.checkAllSteps(ClaimTakenBack.class);
  }

  @Test
  void ofTwoClaimsOneIsTold() {
    ModelChecking.checkAllSteps(ClaimsInTwo.class);
  }

  @Test
  void theLastClaimIsToldByTheNext() {
    ModelChecking.checkAllSteps(ClaimInLastAndInOther.class);
  }

  @Test
  void aClaimDuringAnUpdateIsTold() {
    ModelChecking.checkAllSteps(ClaimAndReleaseInLast.class);
  }

  @Test
  void aNodeKnowsWhetherItsChildIsEmpty() {
    ModelChecking.checkAllSteps(SetAndClear.class);
  }

  @Test
  void aChangeReachesTheRootThatIsMadeMeanwhile() {
    ModelChecking.checkAllSteps(SetAndGrow.class);
  }

  /** Two runs of a segment are released. */
  public static class ReleasesInOne extends ModelChecking.Race {

    private final RacedIndex index = new RacedIndex();

    @Override
    protected void doOurs() {
      index.release();
    }

    @Override
    protected void doTheirs() {
      index.releaseOther();
    }

    @Override
    public void atRest() {
      require(index.isRight(), "the index has another gap than the segment");
    }
  }

  /** The last run of a segment is released, and the update of the index fails. */
  public static class ChangeCutShort extends ModelChecking.Race {

    private final RacedIndex index = new RacedIndex();

    public ChangeCutShort() {
      index.releaseOther();
    }

    @Override
    protected void doOurs() {
      index.releaseInVain();
    }

    @Override
    protected void doTheirs() {
      index.search();
    }

    @Override
    public void atRest() {
      require(index.isRight(), "the index has another gap than the segment");
    }
  }

  /** A claim fails at its second word. */
  public static class ClaimTakenBack extends ModelChecking.Race {

    private final RacedIndex index = new RacedIndex();

    @Override
    protected void doOurs() {
      index.claimAcross();
    }

    @Override
    protected void doTheirs() {
      index.claimHigh();
    }

    @Override
    public void atRest() {
      require(index.isRight(), "the index has another gap than the segment");
    }
  }

  /** With claims that the index is not told of at once. */
  public abstract static class LastClaimRace extends ModelChecking.Race {

    final RacedClaims claims = new RacedClaims();

    @Override
    public void atRest() {
      require(claims.isRight(), "a claim will never be told");
    }
  }

  /** Two segments are claimed in, of which the index is not told at once. */
  public static class ClaimsInTwo extends LastClaimRace {

    @Override
    protected void doOurs() {
      claims.claimInFirst();
    }

    @Override
    protected void doTheirs() {
      claims.claimInThird();
    }
  }

  /** The segment that was claimed in last is claimed in again, and so is another one. */
  public static class ClaimInLastAndInOther extends LastClaimRace {

    @Override
    protected void doOurs() {
      claims.claimInLast();
    }

    @Override
    protected void doTheirs() {
      claims.claimInFirst();
    }
  }

  /** A segment of whose claims the index is not told is claimed in while a run is released. */
  public static class ClaimAndReleaseInLast extends LastClaimRace {

    @Override
    protected void doOurs() {
      claims.claimInLast();
    }

    @Override
    protected void doTheirs() {
      claims.releaseLast();
    }
  }

  /** A bitmap becomes empty, and gets another bit. */
  public static class SetAndClear extends ModelChecking.Race {

    private final RacedRow row = new RacedRow().grow();

    @Override
    protected void doOurs() {
      row.set();
    }

    @Override
    protected void doTheirs() {
      row.clear();
    }

    @Override
    public void atRest() {
      require(row.isFound(), "no search leads to the segment");
    }
  }

  /** A bitmap that was empty gets a bit while the tree grows. */
  public static class SetAndGrow extends ModelChecking.Race {

    private final RacedRow row = new RacedRow().emptied();

    @Override
    protected void doOurs() {
      row.set();
    }

    @Override
    protected void doTheirs() {
      row.grow();
    }

    @Override
    public void atRest() {
      require(row.isFound(), "no search leads to the segment");
    }
  }
}
