package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.LateFinderAndReleaseTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a finder that came too late opens the lock and leaves without help. */
@JCStressTest
@JCStressMeta(LateFinderAndReleaseTest.class)
@State
public class FinderLeavesAtOncePlanted extends LateFinderAndReleaseTest {

  public FinderLeavesAtOncePlanted() {
    super(HeapBugs.lateFinderLeavesAtOnce(1));
  }

  @Actor
  @Override
  public void finder() {
    super.finder();
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
