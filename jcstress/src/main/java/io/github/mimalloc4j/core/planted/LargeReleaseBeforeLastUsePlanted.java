package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.LargeBlock;
import io.github.mimalloc4j.core.LargeReleaseAndClaimTest;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
    super(
        new LargeBlock() {
          private final AtomicBoolean claimed = new AtomicBoolean(true);
          private final AtomicInteger uses = new AtomicInteger();
          private int seen;

          @Override
          public void useAndRelease() {
            claimed.set(false);
            uses.incrementAndGet();
          }

          @Override
          public boolean takeAnother() {
            boolean same = claimed.compareAndSet(false, true);
            if (same) {
              seen = uses.getAndSet(0);
            }
            return same;
          }

          @Override
          public boolean isUseOver() {
            return seen == 1 && uses.get() == 0;
          }
        });
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
