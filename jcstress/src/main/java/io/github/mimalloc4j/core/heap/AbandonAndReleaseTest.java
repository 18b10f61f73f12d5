package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The owner abandons its heap while another thread releases the last blocks of its page. */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Once, by whoever came last.")
@Outcome(expect = FORBIDDEN, desc = "Left for nobody to find, or given back twice.")
@State
public class AbandonAndReleaseTest {

  private final RacedHeap heap = RacedHeap.owned(2);

  @Actor
  public void owner() {
    heap.abandon();
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
    heap.releaseElsewhere(1);
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = heap.fate();
  }
}
