package io.github.mimalloc4j.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two holders, one of them the owner of the page, release at the same time. */
@JCStressTest
@Outcome(id = "the owner was the last", expect = ACCEPTABLE, desc = "Its release is a plain write.")
@Outcome(id = "the other was the last", expect = ACCEPTABLE, desc = "Its release is deferred.")
@Outcome(expect = FORBIDDEN, desc = "Both or none was the last, or the block is not free once.")
@State
public class TwoHoldersTest {

  private final RacedBuffer buffer = new RacedBuffer(2);
  private boolean owner;
  private boolean other;

  @Actor
  public void owner() {
    buffer.own();
    buffer.awaitOther();
    owner = buffer.release();
  }

  @Actor
  public void other() {
    buffer.awaitOwner();
    other = buffer.release();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (owner != other && buffer.timesFree() == 1) {
      result.r1 = owner ? "the owner was the last" : "the other was the last";
    } else {
      result.r1 = owner == other ? "both the last: " + owner : "the block is not free once";
    }
  }
}
