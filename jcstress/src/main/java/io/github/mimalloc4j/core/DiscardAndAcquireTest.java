package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Upkeep forgets an abandoned heap without pages while a thread comes for a heap of its own. */
@JCStressTest
@Outcome(id = "its heap is known", expect = ACCEPTABLE, desc = "The old one, or another.")
@Outcome(expect = FORBIDDEN, desc = "It owns a heap that was forgotten.")
@State
public class DiscardAndAcquireTest {

  private final RacedAllocator heaps = RacedAllocator.withEmptyHeap();

  @Actor
  public void upkeep() {
    heaps.runUpkeep();
  }

  @Actor
  public void comer() {
    heaps.acquire();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = heaps.isOwnerForgotten() ? "its heap is forgotten" : "its heap is known";
  }
}
