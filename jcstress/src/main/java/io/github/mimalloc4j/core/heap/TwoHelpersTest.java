package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads release the last blocks of an abandoned heap: who is told while the other has the
 * lock leaves its notice to the other.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Once, by whoever came last.")
@Outcome(expect = FORBIDDEN, desc = "Left for nobody to find, or given back twice.")
@State
public class TwoHelpersTest {

  private final RacedHeap heap = RacedHeap.owned(2);

  public TwoHelpersTest() {
    heap.abandon();
  }

  @Actor
  public void one() {
    heap.releaseElsewhere(0);
  }

  @Actor
  public void other() {
    heap.releaseElsewhere(1);
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = heap.fate();
  }
}
