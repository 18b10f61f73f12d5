package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads find the owner dead, with all blocks released but not collected. */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Once, by whoever came last.")
@Outcome(expect = FORBIDDEN, desc = "Left for nobody to find, or given back twice.")
@State
public class TwoFindersTest {

  private final RacedHeap heap = RacedHeap.owned(2);

  public TwoFindersTest() {
    heap.releaseElsewhere(0);
    heap.releaseElsewhere(1);
  }

  @Actor
  public void one() {
    heap.abandon();
  }

  @Actor
  public void other() {
    heap.abandon();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = heap.fate();
  }
}
