package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.ClaimAndPurgeTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a segment is found free and claimed whole in two steps. */
@JCStressTest
@JCStressMeta(ClaimAndPurgeTest.class)
@State
public class PurgeByPlainWritePlanted extends ClaimAndPurgeTest {

  public PurgeByPlainWritePlanted() {
    super(new PlainSliceMap(128));
  }

  @Actor
  @Override
  public void purger() {
    super.purger();
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
