package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.PurgeAndTwoClaimsTest;
import io.github.mimalloc4j.core.memory.SegmentBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a segment that is found free is removed without being claimed. */
@JCStressTest
@JCStressMeta(PurgeAndTwoClaimsTest.class)
@State
public class PurgeWithoutClaimPlanted extends PurgeAndTwoClaimsTest {

  public PurgeWithoutClaimPlanted() {
    super(SegmentBugs.removesWithoutClaim());
  }

  @Actor
  @Override
  public void one() {
    super.one();
  }

  @Actor
  @Override
  public void other() {
    super.other();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
