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
 * A new owner finds a deferred block and gives the page back, perhaps before the notice of it
 * comes.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Once, by whoever.")
@Outcome(expect = FORBIDDEN, desc = "Never, or again for a late notice.")
@State
public class GiveBackAndNoticeTest {

  private final RacedHeap heap = RacedHeap.owned(1);

  public GiveBackAndNoticeTest() {
    heap.abandon();
  }

  @Actor
  public void adopter() {
    if (heap.adopt() && heap.isInUse()) {
      int block = heap.allocate();
      if (block != RacedHeap.NONE) {
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
    result.r1 = heap.fate();
  }
}
