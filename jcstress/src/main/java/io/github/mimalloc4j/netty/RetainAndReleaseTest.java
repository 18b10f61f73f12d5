package io.github.mimalloc4j.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A holder retains while another one releases. */
@JCStressTest
@Outcome(id = "two references", expect = ACCEPTABLE, desc = "One more and one less.")
@Outcome(expect = FORBIDDEN, desc = "A reference was lost or made up.")
@State
public class RetainAndReleaseTest {

  private final RacedBuffer buffer = new RacedBuffer(2);
  private boolean last;

  @Actor
  public void borrower() {
    buffer.own();
    buffer.awaitOther();
    buffer.retain();
  }

  @Actor
  public void other() {
    buffer.awaitOwner();
    last = buffer.release();
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean two = !last && !buffer.release() && buffer.release();
    result.r1 = two && buffer.timesFree() == 1 ? "two references" : "not two references";
  }
}
