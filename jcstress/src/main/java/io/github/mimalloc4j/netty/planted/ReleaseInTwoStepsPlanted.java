package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.TwoHoldersTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a release reads and writes the count in two steps. */
@JCStressTest
@JCStressMeta(TwoHoldersTest.class)
@State
public class ReleaseInTwoStepsPlanted extends TwoHoldersTest {

  public ReleaseInTwoStepsPlanted() {
    super(BufferBugs.releasesInTwoSteps(2));
  }

  @Actor
  @Override
  public void owner() {
    super.owner();
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
