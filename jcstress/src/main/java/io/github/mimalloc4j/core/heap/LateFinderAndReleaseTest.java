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
 * A second thread that found the owner dead comes when the heap is abandoned already; it has the
 * lock for a moment, in which another one releases the last block and cannot help.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Once, by whoever came last.")
@Outcome(expect = FORBIDDEN, desc = "Left for nobody to find, or given back twice.")
@State
public class LateFinderAndReleaseTest {

  private final RacedHeap heap = RacedHeap.owned(1);

  public LateFinderAndReleaseTest() {
    heap.abandon();
  }

  @Actor
  public void finder() {
    heap.abandon();
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = heap.fate();
  }
}
