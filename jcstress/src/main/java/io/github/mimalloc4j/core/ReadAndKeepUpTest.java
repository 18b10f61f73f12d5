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

  private final CountsView counts;
  private long first;
  private long second;

  public ReadAndKeepUpTest() {
    this(RealHeaps.counts());
  }

  protected ReadAndKeepUpTest(CountsView counts) {
    this.counts = counts;
  }

  @Actor
  public void reader() {
    first = counts.allocations();
    second = counts.allocations();
  }

  @Actor
  public void upkeep() {
    counts.keepUp();
  }

  @Arbiter
  public void atRest(L_Result result) {
    long last = counts.allocations();
    boolean grown = first <= second && second <= last;
    result.r1 =
        grown && last == CountsView.ALLOCATIONS ? "right" : first + ", " + second + ", " + last;
  }
}
