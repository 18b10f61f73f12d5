package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.GrowAndReleaseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the place is read before the count says that nobody else can move the buffer. */
@JCStressTest
@JCStressMeta(GrowAndReleaseTest.class)
@State
public class PlaceBeforeCountPlanted extends GrowAndReleaseTest {

  public PlaceBeforeCountPlanted() {
    super(BufferBugs.readsPlaceBeforeCount(2));
  }

  @Actor
  @Override
  public void grower() {
    super.grower();
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
