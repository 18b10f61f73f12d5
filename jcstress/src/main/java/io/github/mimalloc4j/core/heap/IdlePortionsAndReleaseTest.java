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
 * An owner that does nothing but its upkeep runs it in portions while another thread releases the
 * last block of its page. The next run may come before the rest of the one before.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "By a trim that saw the release.")
@Outcome(
    id = "given back by what is to come",
    expect = ACCEPTABLE,
    desc = "The rest of a trim, or another run, which was asked for.")
@Outcome(expect = FORBIDDEN, desc = "Nobody comes, or it was given back twice.")
@State
public class IdlePortionsAndReleaseTest {

  private final RacedHeap heap = RacedHeap.owned(1);

  public IdlePortionsAndReleaseTest() {
    heap.abandon();
  }

  @Actor
  public void owner() {
    heap.adopt();
    heap.runUpkeepOfOwner();
    heap.runUpkeepOfOwner();
    heap.runRestOfOwner();
    heap.runRestOfOwner();
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean more = heap.finishUpkeepOfOwner();
    if (heap.isGivenBack()) {
      result.r1 = more ? "given back by what is to come" : "given back";
    } else {
      result.r1 = heap.fate();
    }
  }
}
