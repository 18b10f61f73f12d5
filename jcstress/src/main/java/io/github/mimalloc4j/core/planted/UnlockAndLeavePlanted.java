package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.UnlockAndPostTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the lock is opened without a look at the mailbox. */
@JCStressTest
@JCStressMeta(UnlockAndPostTest.class)
@State
public class UnlockAndLeavePlanted extends UnlockAndPostTest {

  public UnlockAndLeavePlanted() {
    super(HeapBugs.unlocksAndLeaves(4));
  }

  @Actor
  @Override
  public void visitor() {
    super.visitor();
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
