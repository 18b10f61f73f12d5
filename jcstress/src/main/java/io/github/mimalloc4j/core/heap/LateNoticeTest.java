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
 * A notice comes late: its sender is between push and post while the owner, who had a block of the
 * page back by itself, takes the deferred one too and exhausts the page again. The notice then
 * finds nothing, but the page is out of the queue and has to be asked for anew.
 */
@JCStressTest
@Outcome(
    id = "found again",
    expect = ACCEPTABLE,
    desc = "The page was asked for, or is in the queue.")
@Outcome(expect = FORBIDDEN, desc = "Nobody will ever look at the page.")
@State
public class LateNoticeTest {

  private static final int BLOCKS = 4;

  private final RacedHeap heap = RacedHeap.owned(4);
  private int found;

  public LateNoticeTest() {
    // The page is asked for and out of the queue, and so is, before long, the next one.
    for (int i = 0; i < BLOCKS; i++) {
      heap.allocate();
    }
  }

  @Actor
  public void owner() {
    heap.release(1);
    for (int i = 0; i < 3; i++) {
      count(heap.allocate());
    }
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    heap.allocate(); // takes the mail at the latest
    heap.releaseElsewhere(2);
    for (int i = 0; i < 3 * BLOCKS; i++) {
      count(heap.allocate());
    }
    result.r1 = found == 3 ? "found again" : "lost, found of three: " + found;
  }

  private void count(int block) {
    found += block == RacedHeap.NONE ? 0 : 1;
  }
}
