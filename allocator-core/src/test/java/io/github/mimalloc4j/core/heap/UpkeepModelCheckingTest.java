package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever asks for upkeep is followed by a run that sees the reason. */
@Tag("model-checking")
class UpkeepModelCheckingTest {

  private static final UpkeepExecutor REFUSES =
      (run, delay) -> {
        throw new RejectedExecutionException("the executor has ended");
      };

  @Test
  void reasonIsSeenByThisRunOrTheNext() {
    ModelChecking.check(RequestAndRun.class);
  }

  @Test
  void whoeverIsToldOfTheRefusalSeesTheReasonsOfAll() {
    ModelChecking.check(TwoRefused.class);
  }

  @Test
  void whatIsRefusedAgainIsNotForgotten() {
    ModelChecking.check(AskedAgain.class);
  }

  @Test
  void whatAnEndedExecutorIsNotAskedForIsDoneByTheOwner() {
    ModelChecking.check(EndedAndOwner.class);
  }

  @Test
  void whatIsAskedForWhileItIsLeftToTheOwnerIsLeftToHimToo() {
    ModelChecking.check(EndedAndTold.class);
  }

  /** A run begins while its task gets something else to do. */
  public static class RequestAndRun extends ModelChecking.Race {

    private final Upkeep upkeep = new Upkeep((run, delay) -> {}, 1, this::look, () -> {});
    private volatile boolean reason;
    private boolean seen;

    public RequestAndRun() {
      upkeep.request();
    }

    private void look() {
      seen |= reason;
    }

    @Override
    protected void doOurs() {
      upkeep.delayedRun().run(); // the race is the executor
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

  /** Two threads ask, and the executor refuses. */
  public static class TwoRefused extends ModelChecking.Race {

    private final Upkeep upkeep = new Upkeep(REFUSES, 1, () -> {}, this::look);
    private volatile boolean ours;
    private volatile boolean theirs;
    private volatile boolean oursSeen;
    private volatile boolean theirsSeen;

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

  /** Who was told of a refusal asks again while another thread asks; one of them is refused. */
  public static class AskedAgain extends ModelChecking.Race {

    private final RacedRefusal upkeep = new RacedRefusal();

    @Override
    protected void doOurs() {
      upkeep.askAgain();
    }

    @Override
    protected void doTheirs() {
      upkeep.ask();
    }

    @Override
    public void atRest() {
      require(upkeep.isRequested() || upkeep.isTold(), "nobody asks again");
    }
  }

  /** Who was told of a request leaves it to the owner, who looks, and asks again. */
  public static class EndedAndOwner extends ModelChecking.Race {

    private final RacedEnded upkeep = new RacedEnded(true);

    @Override
    protected void doOurs() {
      upkeep.leaveToOwner();
    }

    @Override
    protected void doTheirs() {
      upkeep.look();
      upkeep.ask();
    }

    @Override
    public void atRest() {
      require(upkeep.isSeenOrWillBe(), "the owner does not see the reason");
    }
  }

  /** Who was told looks whether there is something for the owner while another thread asks. */
  public static class EndedAndTold extends ModelChecking.Race {

    private final RacedEnded upkeep = new RacedEnded(false);

    @Override
    protected void doOurs() {
      upkeep.leaveToOwner();
    }

    @Override
    protected void doTheirs() {
      upkeep.ask();
    }

    @Override
    public void atRest() {
      require(upkeep.isSeenOrWillBe(), "the request was forgotten");
    }
  }
}
