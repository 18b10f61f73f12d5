package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.AbandonIdleAndReleaseTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: who tells looks for the owner before it posts. */
@JCStressTest
@JCStressMeta(AbandonIdleAndReleaseTest.class)
@State
public class TellLooksForOwnerFirstPlanted extends AbandonIdleAndReleaseTest {

  public TellLooksForOwnerFirstPlanted() {
    super(HeapBugs.tellLooksForTheOwnerFirst(1));
  }

  @Actor
  @Override
  public void owner() {
    super.owner();
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
