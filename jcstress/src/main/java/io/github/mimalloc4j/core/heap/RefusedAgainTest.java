package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Who was told of a refusal asks again while another thread asks; one of them is refused. */
@JCStressTest
@Outcome(id = "a run is to come", expect = ACCEPTABLE, desc = "The second request was accepted.")
@Outcome(id = "asked again later", expect = ACCEPTABLE, desc = "It was refused, and that is told.")
@Outcome(expect = FORBIDDEN, desc = "A refusal was forgotten.")
@State
public class RefusedAgainTest {

  private final RacedRefusal upkeep = new RacedRefusal();

  @Actor
  public void whoWasTold() {
    upkeep.askAgain();
  }

  @Actor
  public void another() {
    upkeep.ask();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (upkeep.isRequested()) {
      result.r1 = "a run is to come";
    } else {
      result.r1 = upkeep.isTold() ? "asked again later" : "nobody asks again";
    }
  }
}
