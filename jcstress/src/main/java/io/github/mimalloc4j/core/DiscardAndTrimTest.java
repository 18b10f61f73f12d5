package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Upkeep forgets an abandoned heap without pages while a thread trims it. */
@JCStressTest
@Outcome(id = "it is removed", expect = ACCEPTABLE, desc = "By this run of upkeep or the next.")
@Outcome(expect = FORBIDDEN, desc = "The heap stays, and nobody comes for it.")
@State
public class DiscardAndTrimTest {

  private final RacedAllocator heaps = RacedAllocator.withEmptyHeap();

  @Actor
  public void upkeep() {
    heaps.runUpkeep();
  }

  @Actor
  public void trimmer() {
    heaps.trim();
  }

  @Arbiter
  public void atRest(L_Result result) {
    heaps.finishUpkeep();
    result.r1 = heaps.areOwnedThere() ? "it stays" : "it is removed";
  }
}
