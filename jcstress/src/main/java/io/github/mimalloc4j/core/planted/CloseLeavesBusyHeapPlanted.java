package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.CloseAndReleaseTest;
import io.github.mimalloc4j.core.HeapsBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: who closes does not wait for a busy shared heap. */
@JCStressTest
@JCStressMeta(CloseAndReleaseTest.class)
@State
public class CloseLeavesBusyHeapPlanted extends CloseAndReleaseTest {

  public CloseLeavesBusyHeapPlanted() {
    super(HeapsBugs.closeLeavesBusyHeap());
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
