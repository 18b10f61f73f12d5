package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.RequestAndRunTest;
import io.github.mimalloc4j.core.heap.UpkeepBugs;
import io.github.mimalloc4j.core.heap.UpkeepView;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the task looks first, and the request is forgotten afterwards. */
@JCStressTest
@JCStressMeta(RequestAndRunTest.class)
@State
public class LookBeforeClearPlanted extends RequestAndRunTest {

  @Override
  protected UpkeepView newUpkeep(Runnable task) {
    return UpkeepBugs.looksBeforeItClears(task);
  }

  @Actor
  @Override
  public void executor() {
    super.executor();
  }

  @Actor
  @Override
  public void asker() {
    super.asker();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
