package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.DoubleReleaseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: what comes as deferred is free, whatever its state says. */
@JCStressTest
@JCStressMeta(DoubleReleaseTest.class)
@State
public class UncheckedReclaimPlanted extends DoubleReleaseTest {

  public UncheckedReclaimPlanted() {
    super(BufferBugs.reclaimsUnchecked());
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
