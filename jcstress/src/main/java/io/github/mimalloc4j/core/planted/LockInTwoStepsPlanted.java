package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.TwoAllocatorsTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the lock is looked at and taken in two steps. */
@JCStressTest
@JCStressMeta(TwoAllocatorsTest.class)
@State
public class LockInTwoStepsPlanted extends TwoAllocatorsTest {

  public LockInTwoStepsPlanted() {
    super(HeapBugs.locksInTwoSteps(2));
  }

  @Actor
  @Override
  public void one() {
    super.one();
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
