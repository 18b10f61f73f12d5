package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.ForeignGrowAndReleaseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Planted bug: the owner reads the place before the count says that nobody else can move the
 * buffer.
 */
@JCStressTest
@JCStressMeta(ForeignGrowAndReleaseTest.class)
@State
public class OwnerPlaceBeforeCountPlanted extends ForeignGrowAndReleaseTest {

  public OwnerPlaceBeforeCountPlanted() {
    super(BufferBugs.readsPlaceBeforeCount(2));
  }

  @Actor
  @Override
  public void grower() {
    super.grower();
  }

  @Actor
  @Override
  public void owner() {
    super.owner();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
