package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A large block is released by one thread while another one takes an equal one. */
@JCStressTest
@Outcome(id = "the same block, unused", expect = ACCEPTABLE, desc = "Claimed after the release.")
@Outcome(id = "another block", expect = ACCEPTABLE, desc = "Claimed before the release.")
@Outcome(
    expect = FORBIDDEN,
    desc = "A second user before the first was done, no memory, or slices of nobody.")
@State
public class LargeReleaseAndClaimTest {

  private final RacedLargeBlock block = new RacedLargeBlock();
  private boolean same;

  @Actor
  public void releaser() {
    block.useAndRelease();
  }

  @Actor
  public void claimer() {
    same = block.takeAnother();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (!block.isOneInUse()) {
      result.r1 = "not the slices of one block";
    } else if (same && !block.hasMemory()) {
      result.r1 = "the same block, without memory";
    } else if (same) {
      result.r1 = block.isUseOver() ? "the same block, unused" : "the same block, in use";
    } else {
      result.r1 = "another block";
    }
  }
}
