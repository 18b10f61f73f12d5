package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.ClaimAndReleaseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: bits are cleared by a read and a write. */
@JCStressTest
@JCStressMeta(ClaimAndReleaseTest.class)
@State
public class ReleaseByPlainWritePlanted extends ClaimAndReleaseTest {

  public ReleaseByPlainWritePlanted() {
    super(new PlainSliceMap(192));
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
