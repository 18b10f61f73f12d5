package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A thread moves the only free segment to the other list, while another one claims all of it. */
@JCStressTest
@Outcome(id = "a segment each", expect = ACCEPTABLE, desc = "One of them obtained another segment.")
@Outcome(expect = FORBIDDEN, desc = "Two runs in the same memory, or memory is counted wrong.")
@State
public class MoveAndClaimTest {

  private final MovedSegment moved = new MovedSegment();

  @Actor
  public void mover() {
    moved.claimPage();
  }

  @Actor
  public void claimer() {
    moved.claimLarge();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = moved.isSound() ? "a segment each" : "unsound";
  }
}
