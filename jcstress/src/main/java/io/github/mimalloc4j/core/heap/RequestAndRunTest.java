package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A run of upkeep begins while its task gets something else to do, and is asked for again. */
@JCStressTest
@Outcome(id = "seen", expect = ACCEPTABLE, desc = "By the run that had begun.")
@Outcome(
    id = "not yet seen, and another run is to come",
    expect = ACCEPTABLE,
    desc = "The task looked too early.")
@Outcome(expect = FORBIDDEN, desc = "The reason is missed.")
@State
public class RequestAndRunTest {

  private final Upkeep upkeep = new Upkeep((run, delay) -> {}, 1, this::look, () -> {});
  private volatile boolean reason;
  private boolean seen;

  public RequestAndRunTest() {
    upkeep.request();
  }

  private void look() {
    seen = reason;
  }

  @Actor
  public void executor() {
    upkeep.delayedRun().run();
  }

  @Actor
  public void asker() {
    reason = true;
    upkeep.request();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (seen) {
      result.r1 = "seen";
    } else {
      result.r1 = upkeep.isRequested() ? "not yet seen, and another run is to come" : "missed";
    }
  }
}
