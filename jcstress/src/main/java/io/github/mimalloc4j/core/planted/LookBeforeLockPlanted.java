package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.CloseAndUseTest;
import io.github.mimalloc4j.core.HeapsBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: who allocates looks whether the allocator was closed before it has the lock. */
@JCStressTest
@JCStressMeta(CloseAndUseTest.class)
@State
public class LookBeforeLockPlanted extends CloseAndUseTest {

  public LookBeforeLockPlanted() {
    super(HeapsBugs.looksBeforeItLocks());
  }

  @Actor
  @Override
  public void closer() {
    super.closer();
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
