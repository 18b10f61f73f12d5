package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.CheckedDoubleReleaseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a last release reads and writes the count in two steps, although it is checked. */
@JCStressTest
@JCStressMeta(CheckedDoubleReleaseTest.class)
@State
public class CheckedReleaseByPlainWritePlanted extends CheckedDoubleReleaseTest {

  public CheckedReleaseByPlainWritePlanted() {
    super(BufferBugs.checksReleaseByPlainWrite());
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
