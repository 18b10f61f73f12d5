package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The owner looks for a block of a page whose last block another thread releases, then steals. */
@JCStressTest
@Outcome(id = "the owner has it", expect = ACCEPTABLE, desc = "It collected first.")
@Outcome(id = "the thief has it", expect = ACCEPTABLE, desc = "All blocks were deferred.")
@Outcome(expect = FORBIDDEN, desc = "Both have the page, or none, or a block was in use.")
@State
public class AllocateAndStealTest {

  private final RacedHeap heap = RacedHeap.ownedWithLastInUse();
  private boolean found;
  private boolean stolen;

  @Actor
  public void owner() {
    found = heap.allocate() != RacedHeap.NONE;
  }

  @Actor
  public void thief() {
    heap.releaseElsewhere(0);
    stolen = heap.steal();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (found == stolen || heap.isBroken()) {
      result.r1 = "found: " + found + ", stolen: " + stolen + ", broken: " + heap.isBroken();
    } else {
      result.r1 = stolen ? "the thief has it" : "the owner has it";
    }
  }
}
