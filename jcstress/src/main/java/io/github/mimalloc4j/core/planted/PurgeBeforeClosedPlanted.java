package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.ClosePoolAndReleaseTest;
import io.github.mimalloc4j.core.memory.SegmentBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a closing pool gives back what is free, and then says that it is closed. */
@JCStressTest
@JCStressMeta(ClosePoolAndReleaseTest.class)
@State
public class PurgeBeforeClosedPlanted extends ClosePoolAndReleaseTest {

  public PurgeBeforeClosedPlanted() {
    super(SegmentBugs.purgesBeforeItCloses());
  }

  @Actor
  @Override
  public void closer() {
    super.closer();
  }

  @Actor
  @Override
  public void releaser() {
    super.releaser();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
