package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.HeapsBugs;
import io.github.mimalloc4j.core.UpkeepAndUseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: upkeep that finds a shared heap busy leaves it at that. */
@JCStressTest
@JCStressMeta(UpkeepAndUseTest.class)
@State
public class UpkeepLeavesBusyHeapPlanted extends UpkeepAndUseTest {

  public UpkeepLeavesBusyHeapPlanted() {
    super(HeapsBugs.upkeepLeavesBusyHeap());
  }

  @Actor
  @Override
  public void upkeep() {
    super.upkeep();
  }

  @Actor
  @Override
  public void user() {
    super.user();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
