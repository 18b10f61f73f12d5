package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.IdleTrimAndReleaseTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the trim asks for exhausted pages only, as if the owner came across the others. */
@JCStressTest
@JCStressMeta(IdleTrimAndReleaseTest.class)
@State
public class TrimLeavesQueuedPagesPlanted extends IdleTrimAndReleaseTest {

  public TrimLeavesQueuedPagesPlanted() {
    super(HeapBugs.trimLeavesQueuedPages(2));
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
