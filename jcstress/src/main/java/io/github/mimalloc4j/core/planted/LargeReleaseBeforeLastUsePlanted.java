package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.LargeReleaseAndClaimTest;
import io.github.mimalloc4j.core.heap.LargeBlockBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the slices are given back before the last use of the block. */
@JCStressTest
@JCStressMeta(LargeReleaseAndClaimTest.class)
@State
public class LargeReleaseBeforeLastUsePlanted extends LargeReleaseAndClaimTest {

  public LargeReleaseBeforeLastUsePlanted() {
    super(LargeBlockBugs.releasesBeforeLastUse());
  }

  @Actor
  @Override
  public void releaser() {
    super.releaser();
  }

  @Actor
  @Override
  public void claimer() {
    super.claimer();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
