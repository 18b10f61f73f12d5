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
 * A thread adopts an abandoned heap, and then sits idle, while another one releases its last block
 * and tells.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "The helper had the lock.")
@Outcome(
    id = "given back by upkeep of the new owner",
    expect = ACCEPTABLE,
    desc = "It was asked for by either.")
@Outcome(expect = FORBIDDEN, desc = "Nobody comes, or it was given back twice.")
@State
public class AdoptIdleAndReleaseTest {

  private final RacedHeap heap = RacedHeap.owned(1);

  public AdoptIdleAndReleaseTest() {
    heap.abandon();
  }

  @Actor
  public void adopter() {
    heap.adopt();
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean already = heap.isGivenBack();
    heap.finishUpkeep();
    if (heap.isGivenBack()) {
      result.r1 = already ? "given back" : "given back by upkeep of the new owner";
    } else {
      result.r1 = heap.fate();
    }
  }
}
