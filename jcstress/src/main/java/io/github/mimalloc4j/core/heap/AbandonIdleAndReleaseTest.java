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
 * An owner whose pages are asked for leaves, while another thread releases the last block, and
 * tells.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Once, by the owner or by the helper.")
@Outcome(
    expect = FORBIDDEN,
    desc = "The owner was asked for it, who is gone, or it was given back twice.")
@State
public class AbandonIdleAndReleaseTest {

  private final RacedHeap heap = RacedHeap.owned(1);

  public AbandonIdleAndReleaseTest() {
    heap.runUpkeep(); // the page is asked for
  }

  @Actor
  public void owner() {
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
