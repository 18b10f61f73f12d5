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
 * A thread adopts an abandoned heap and trims it while another one releases its last block and
 * helps.
 */
@JCStressTest
@Outcome(
    id = "given back, adopted",
    expect = ACCEPTABLE,
    desc = "By the helper, or by the adopter, now or at its next trim.")
@Outcome(
    id = "given back, not adopted",
    expect = ACCEPTABLE,
    desc = "The helper had the lock when the adopter came.")
@Outcome(expect = FORBIDDEN, desc = "Lost, or two holders at a time.")
@State
public class AdoptAndReleaseTest {

  private final RacedHeap heap = RacedHeap.owned(1);
  private boolean adopted;

  public AdoptAndReleaseTest() {
    heap.abandon();
  }

  @Actor
  public void adopter() {
    adopted = heap.adopt();
    if (adopted) {
      heap.trim();
    }
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (adopted) {
      heap.trim();
    }
    result.r1 = heap.fate() + (adopted ? ", adopted" : ", not adopted");
  }
}
