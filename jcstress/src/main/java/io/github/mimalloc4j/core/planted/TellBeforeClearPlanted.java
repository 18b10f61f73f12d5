package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.RefusedRequestsTest;
import io.github.mimalloc4j.core.heap.UpkeepBugs;
import io.github.mimalloc4j.core.heap.UpkeepView;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Planted bug: whoever is told of the refusal looks while others still take their request for
 * scheduled.
 */
@JCStressTest
@JCStressMeta(RefusedRequestsTest.class)
@State
public class TellBeforeClearPlanted extends RefusedRequestsTest {

  @Override
  protected UpkeepView newUpkeep(Runnable task) {
    return UpkeepBugs.tellsBeforeItClears(task);
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
