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
 * The owner of a heap releases a large block and takes one again, while another thread releases a
 * large block of the same heap.
 */
@JCStressTest
@Outcome(id = "right", expect = ACCEPTABLE, desc = "The owner has the block that it released.")
@Outcome(expect = FORBIDDEN, desc = "Slices are lost, or have two users.")
@State
public class KeepAndReleaseTest {

  private final RacedKeptPage pages = new RacedKeptPage();
  private boolean same;

  @Actor
  public void owner() {
    pages.own();
    same = pages.releaseAndTake();
  }

  @Actor
  public void releaser() {
    pages.releaseFirst();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = same ? pages.fate() : "a page that was kept did not serve the next block";
  }
}
