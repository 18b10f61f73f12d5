package io.github.mimalloc4j.core.memory;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** At rest the index leads to each segment by what it has. */
@Tag("model-checking")
class SegmentIndexModelCheckingTest {

  @Test
  void theLastChangeOfASegmentIsInTheIndex() {
    ModelChecking.checkAllSteps(ClaimAndReleaseInOne.class);
  }

  @Test
  void whatAClaimTookBackIsInTheIndex() {
    ModelChecking.checkAllSteps(ClaimTakenBack.class);
  }

  @Test
  void aNodeKnowsWhetherItsChildIsEmpty() {
    ModelChecking.checkAllSteps(SetAndClear.class);
  }

  @Test
  void aChangeReachesTheRootThatIsMadeMeanwhile() {
    ModelChecking.checkAllSteps(SetAndGrow.class);
  }

  /** A run is claimed while another one of the segment is released. */
  public static class ClaimAndReleaseInOne extends ModelChecking.Race {

    private final RacedIndex index = new RacedIndex();

    @Override
    protected void doOurs() {
      index.release();
    }

    @Override
    protected void doTheirs() {
      index.claim();
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
