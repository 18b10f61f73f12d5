package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.IdleTrimAndReleaseTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: who tells does not ask for upkeep, as if the owner took the mail in any case. */
@JCStressTest
@JCStressMeta(IdleTrimAndReleaseTest.class)
@State
public class TellWithoutRequestPlanted extends IdleTrimAndReleaseTest {

  public TellWithoutRequestPlanted() {
    super(HeapBugs.tellsWithoutRequest(2));
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
