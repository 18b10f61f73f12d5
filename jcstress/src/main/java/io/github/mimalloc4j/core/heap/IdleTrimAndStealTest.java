package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** An idle owner's upkeep meets a page whose last block another thread releases, then steals. */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Once, by whoever.")
@Outcome(expect = FORBIDDEN, desc = "Never, or twice, or the heap keeps a page without memory.")
@State
public class IdleTrimAndStealTest {

  private final RacedHeap heap = RacedHeap.ownedWithLastInUse();

  @Actor
  public void owner() {
    heap.runUpkeep();
  }

  @Actor
  public void thief() {
    heap.releaseElsewhere(0);
    heap.steal();
  }

  @Arbiter
  public void atRest(L_Result result) {
    heap.finishUpkeep();
    result.r1 = heap.isForgotten() ? heap.fate() : "the heap has not forgotten the page";
  }
}
