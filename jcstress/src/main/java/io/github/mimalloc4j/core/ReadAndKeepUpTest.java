package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A page is given back and a heap forgotten while somebody reads the counts. */
@JCStressTest
@Outcome(id = "right", expect = ACCEPTABLE, desc = "They grow, and all are there at rest.")
@Outcome(expect = FORBIDDEN, desc = "Counted twice, or lost, or gone back.")
@State
public class ReadAndKeepUpTest {

  private final RacedAllocator heaps = RacedAllocator.withCounts();
  private long first;
  private long second;

  @Actor
  public void reader() {
    first = heaps.allocations();
    second = heaps.allocations();
  }

  @Actor
  public void upkeep() {
    heaps.runUpkeep();
  }

  @Arbiter
  public void atRest(L_Result result) {
    long last = heaps.allocations();
    boolean grown = first <= second && second <= last;
    result.r1 =
        grown && last == RacedAllocator.ALLOCATIONS ? "right" : first + ", " + second + ", " + last;
  }
}
