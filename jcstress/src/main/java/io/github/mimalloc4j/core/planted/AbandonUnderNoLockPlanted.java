package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.TwoFindersTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the owner is looked at and cleared without the lock. */
@JCStressTest
@JCStressMeta(TwoFindersTest.class)
@State
public class AbandonUnderNoLockPlanted extends TwoFindersTest {

  public AbandonUnderNoLockPlanted() {
    super(HeapBugs.abandonUnderNoLock(2));
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
