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
 * The owner finds its page exhausted, asks and takes it out of the queue, while another thread
 * releases a block of it.
 */
@JCStressTest
@Outcome(id = "found at once", expect = ACCEPTABLE, desc = "The release came before the question.")
@Outcome(id = "found when told", expect = ACCEPTABLE, desc = "The question came first.")
@Outcome(expect = FORBIDDEN, desc = "The block is lost to its owner.")
@State
public class ExhaustedAndReleaseTest {

  private static final int BLOCKS = 4;

  private final RacedHeap heap = RacedHeap.owned(4);
  private int got;

  @Actor
  public void owner() {
    got = heap.allocate();
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (got == 0) {
      result.r1 = "found at once";
      return;
    }
    int next = RacedHeap.NONE;
    // The blocks of the page that was added meanwhile may come first.
    for (int i = 0; i < BLOCKS && next == RacedHeap.NONE; i++) {
      next = heap.allocate();
    }
    result.r1 = next == 0 ? "found when told" : "lost: " + got + ", then " + next;
  }
}
