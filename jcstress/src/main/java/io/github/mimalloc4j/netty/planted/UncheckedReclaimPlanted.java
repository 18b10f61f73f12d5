package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.DoubleReleaseTest;
import io.netty.util.IllegalReferenceCountException;
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
    super(
        new SimpleBuffer(1) {
          @Override
          public boolean release() {
            int left = count.get() - 1;
            if (left < 0) {
              throw new IllegalReferenceCountException();
            }
            count.set(left); // as the owner's release, which is right if nobody else releases
            return freedIf(left == 0);
          }
        });
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
