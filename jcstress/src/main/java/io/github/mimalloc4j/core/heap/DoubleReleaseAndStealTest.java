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
 * The owner looks for a block of a page while another thread releases all blocks, then steals. The
 * first block is on the deferred list already, because it was released twice before.
 */
@JCStressTest
@Outcome(id = "the owner has it", expect = ACCEPTABLE, desc = "It collected first.")
@Outcome(id = "the thief has it", expect = ACCEPTABLE, desc = "All blocks were deferred.")
@Outcome(id = "nobody has it", expect = ACCEPTABLE, desc = "Each saw the other.")
@Outcome(expect = FORBIDDEN, desc = "Both have the page.")
@State
public class DoubleReleaseAndStealTest {

  private final RacedHeap heap = RacedHeap.ownedWithPauses();
  private boolean found;
  private boolean stolen;

  public DoubleReleaseAndStealTest() {
    heap.releaseTwice(0);
    heap.allocate();
  }

  @Actor
  public void owner() {
    found = heap.allocate() != RacedHeap.NONE;
  }

  @Actor
  public void thief() {
    for (int block = 3; block >= 0; block--) {
      heap.releaseElsewhere(block);
    }
    stolen = heap.steal();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if ((found && stolen) || heap.isBroken()) {
      result.r1 = "found: " + found + ", stolen: " + stolen + ", broken: " + heap.isBroken();
    } else if (stolen) {
      result.r1 = "the thief has it";
    } else {
      result.r1 = found ? "the owner has it" : "nobody has it";
    }
  }
}
