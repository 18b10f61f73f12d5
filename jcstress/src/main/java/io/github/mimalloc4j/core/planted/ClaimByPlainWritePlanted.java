package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.TwoClaimsTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: bits are claimed by a read and a write. */
@JCStressTest
@JCStressMeta(TwoClaimsTest.class)
@State
public class ClaimByPlainWritePlanted extends TwoClaimsTest {

  public ClaimByPlainWritePlanted() {
    super(new PlainSliceMap(192));
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
