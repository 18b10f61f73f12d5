package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.CheckedDoubleReleaseTest;
import io.netty.util.IllegalReferenceCountException;
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
    super(
        new SimpleBuffer(1) {
          @Override
          public boolean release() {
            if (count.get() == 0) {
              throw new IllegalReferenceCountException();
            }
            count.set(0);
            return true;
          }

          @Override
          public int timesFree() {
            return 1; // what comes twice is dropped, as it is when releases are not checked
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
