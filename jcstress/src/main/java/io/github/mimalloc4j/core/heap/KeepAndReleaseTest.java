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
 * The owner of a heap takes a large block, releases it and takes one again, while another thread
 * releases a large block of the same heap.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "The owner has other slices.")
@Outcome(
    id = "taken after its last use",
    expect = ACCEPTABLE,
    desc = "The owner claimed the slices that the other thread had given back.")
@Outcome(expect = FORBIDDEN, desc = "Lost, or two users at a time.")
@State
public class KeepAndReleaseTest {

  private final RacedKeptPage pages = new RacedKeptPage();
  private boolean same;

  @Actor
  public void owner() {
    same = pages.takeTwice();
  }

  @Actor
  public void releaser() {
    pages.releaseElsewhere();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = same ? pages.fate() : "a page that was kept did not serve the next block";
  }
}
