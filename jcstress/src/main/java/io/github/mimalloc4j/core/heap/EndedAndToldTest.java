package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The executor refuses for good: upkeep is asked for while it is left to the owner. */
@JCStressTest
@Outcome(id = "seen", expect = ACCEPTABLE, desc = "Now, or the next time that the owner looks.")
@Outcome(expect = FORBIDDEN, desc = "The request was forgotten.")
@State
public class EndedAndToldTest {

  private final RacedEnded upkeep = new RacedEnded(false);

  @Actor
  public void whoWasTold() {
    upkeep.leaveToOwner();
  }

  @Actor
  public void another() {
    upkeep.ask();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = upkeep.isSeenOrWillBe() ? "seen" : "missed";
  }
}
