package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.mimalloc4j.core.heap.HeapView;
import io.github.mimalloc4j.core.heap.RealHeap;
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

  private final HeapView heap;

  public AbandonIdleAndReleaseTest() {
    this(RealHeap.owned(1));
  }

  protected AbandonIdleAndReleaseTest(HeapView heap) {
    this.heap = heap;
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
    int times = heap.timesGivenBack();
    result.r1 = times == 1 ? "given back" : "given back so often: " + times;
  }
}
