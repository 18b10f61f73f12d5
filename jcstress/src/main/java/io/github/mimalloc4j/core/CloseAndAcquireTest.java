package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The allocator is closed while a thread comes for a heap of its own. */
@JCStressTest
@Outcome(id = "acquired, and told", expect = ACCEPTABLE, desc = "The owner will look, and leave.")
@Outcome(
    id = "acquired, and left",
    expect = ACCEPTABLE,
    desc = "The thread of the harness had ended, and was found dead.")
@Outcome(id = "refused", expect = ACCEPTABLE, desc = "No heap has an owner.")
@Outcome(
    expect = FORBIDDEN,
    desc = "An owner that nobody tells, that was refused, or that lost its heap.")
@State
public class CloseAndAcquireTest {

  private final RacedAllocator heaps = RacedAllocator.withoutUpkeep();
  private boolean acquired;
  private Thread comer;

  @Actor
  public void closer() {
    heaps.close();
  }

  @Actor
  public void comer() {
    comer = Thread.currentThread();
    acquired = heaps.acquire();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (!heaps.hasOwner()) {
      String left = comer.isAlive() ? "acquired, and taken away" : "acquired, and left";
      result.r1 = acquired ? left : "refused";
    } else if (acquired) {
      result.r1 = heaps.isOwnerTold() ? "acquired, and told" : "acquired, and not told";
    } else {
      result.r1 = "refused, and an owner";
    }
  }
}
