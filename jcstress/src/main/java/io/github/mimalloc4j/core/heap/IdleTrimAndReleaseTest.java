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
 * An owner that does nothing but its upkeep runs it while another thread releases the blocks of its
 * page.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "By a run that saw the releases.")
@Outcome(
    id = "given back by another run, which was asked for",
    expect = ACCEPTABLE,
    desc = "The releaser was told.")
@Outcome(expect = FORBIDDEN, desc = "Nobody comes, or it was given back twice.")
@State
public class IdleTrimAndReleaseTest {

  private final RacedHeap heap = RacedHeap.owned(2);

  @Actor
  public void owner() {
    heap.runUpkeep();
    heap.runUpkeep();
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
    heap.releaseElsewhere(1);
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean already = heap.isGivenBack();
    heap.finishUpkeep();
    if (heap.isGivenBack()) {
      result.r1 = already ? "given back" : "given back by another run, which was asked for";
    } else {
      result.r1 = heap.fate();
    }
  }
}
