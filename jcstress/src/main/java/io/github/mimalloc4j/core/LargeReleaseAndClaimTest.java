package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.mimalloc4j.core.heap.LargeBlockView;
import io.github.mimalloc4j.core.heap.RealLargeBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A large block is released by one thread while another one claims the same slices. */
@JCStressTest
@Outcome(id = "the same block, unused", expect = ACCEPTABLE, desc = "Claimed after the release.")
@Outcome(id = "another block", expect = ACCEPTABLE, desc = "Claimed before the release.")
@Outcome(expect = FORBIDDEN, desc = "The slices had a second user before the first was done.")
@State
public class LargeReleaseAndClaimTest {

  private final LargeBlockView block;
  private boolean same;

  public LargeReleaseAndClaimTest() {
    this(new RealLargeBlock());
  }

  protected LargeReleaseAndClaimTest(LargeBlockView block) {
    this.block = block;
  }

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
    if (same) {
      result.r1 = block.isUseOver() ? "the same block, unused" : "the same block, in use";
    } else {
      result.r1 = "another block";
    }
  }
}
