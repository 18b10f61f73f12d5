package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Upkeep comes to a shared heap while a thread takes and releases blocks of it. */
@JCStressTest
@Outcome(
    id = "all given back",
    expect = ACCEPTABLE,
    desc = "By this run or, if the heap was busy, by the next one.")
@Outcome(expect = FORBIDDEN, desc = "Memory is kept that nobody uses.")
@State
public class UpkeepAndUseTest {

  private final RacedAllocator heaps = RacedAllocator.withUpkeep();

  public UpkeepAndUseTest() {
    heaps.keep();
  }

  @Actor
  public void upkeep() {
    heaps.runUpkeep();
  }

  @Actor
  public void user() {
    heaps.use();
    heaps.releaseKept();
  }

  @Arbiter
  public void atRest(L_Result result) {
    heaps.finishUpkeep();
    result.r1 = heaps.isNothingUsed() ? "all given back" : "kept";
  }
}
