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
 * A new owner finds a deferred block and gives the page back, perhaps before the notice of it
 * comes.
 */
@JCStressTest
@Outcome(id = "given back once", expect = ACCEPTABLE, desc = "Whoever did it.")
@Outcome(expect = FORBIDDEN, desc = "Never, or again for a late notice.")
@State
public class GiveBackAndNoticeTest {

  private final HeapView heap;

  public GiveBackAndNoticeTest() {
    this(RealHeap.owned(1));
  }

  protected GiveBackAndNoticeTest(HeapView heap) {
    this.heap = heap;
    heap.abandon();
  }

  @Actor
  public void adopter() {
    if (heap.adopt() && heap.timesGivenBack() == 0) {
      int block = heap.allocate();
      if (block != HeapView.NONE) {
        heap.release(block);
      }
      heap.trim();
    }
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    heap.trim();
    int times = heap.timesGivenBack();
    result.r1 = times == 1 ? "given back once" : "given back so often: " + times;
  }
}
