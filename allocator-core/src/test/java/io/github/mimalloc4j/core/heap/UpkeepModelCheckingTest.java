package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever asks for upkeep is followed by a run that sees the reason. */
@Tag("model-checking")
class UpkeepModelCheckingTest {

  @Test
  void reasonIsSeenByThisRunOrTheNext() {
    ModelChecking.check(RequestAndRun.class);
  }

  @Test
  void clearingAfterTheLookMissesReason() {
    ModelChecking.assertFound(LookBeforeClear.class);
  }

  @Test
  void whoeverIsToldOfTheRefusalSeesTheReasonsOfAll() {
    ModelChecking.check(TwoRefused.class);
  }

  @Test
  void tellingOfTheRefusalBeforeClearingMissesReason() {
    ModelChecking.assertFound(TwoRefusedToldBeforeClear.class);
  }

  /** A run begins while its task gets something else to do. */
  public static class RequestAndRun extends ModelChecking.Race {

    private final UpkeepView upkeep;
    private volatile boolean reason;
    private boolean seen;

    public RequestAndRun() {
      upkeep = newUpkeep(this::look);
      upkeep.request();
    }

    UpkeepView newUpkeep(Runnable task) {
      return UpkeepView.real(task);
    }

    private void look() {
      seen |= reason;
    }

    @Override
    protected void doOurs() {
      upkeep.runIfRequested();
    }

    @Override
    protected void doTheirs() {
      reason = true;
      upkeep.request();
    }

    @Override
    public void atRest() {
      require(seen || upkeep.isRequested(), "nobody will look");
    }
  }

  public static final class LookBeforeClear extends RequestAndRun {
    @Override
    UpkeepView newUpkeep(Runnable task) {
      return UpkeepBugs.looksBeforeItClears(task);
    }
  }

  /** Two threads ask, and the executor refuses. */
  public static class TwoRefused extends ModelChecking.Race {

    private final UpkeepView upkeep;
    private volatile boolean ours;
    private volatile boolean theirs;
    private volatile boolean oursSeen;
    private volatile boolean theirsSeen;

    public TwoRefused() {
      upkeep = newUpkeep(this::look);
    }

    UpkeepView newUpkeep(Runnable whenRefused) {
      return UpkeepView.refused(whenRefused);
    }

    private void look() {
      if (ours) {
        oursSeen = true;
      }
      if (theirs) {
        theirsSeen = true;
      }
    }

    @Override
    protected void doOurs() {
      ours = true;
      upkeep.request();
    }

    @Override
    protected void doTheirs() {
      theirs = true;
      upkeep.request();
    }

    @Override
    public void atRest() {
      require(oursSeen && theirsSeen, "a reason that nobody was told of");
      require(!upkeep.isRequested(), "a run is expected that was refused");
    }
  }

  public static final class TwoRefusedToldBeforeClear extends TwoRefused {
    @Override
    UpkeepView newUpkeep(Runnable whenRefused) {
      return UpkeepBugs.tellsBeforeItClears(whenRefused);
    }
  }
}
