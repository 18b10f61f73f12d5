package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads allocate from a shared heap. */
@JCStressTest
@Outcome(id = "a block each", expect = ACCEPTABLE, desc = "In either order.")
@Outcome(expect = FORBIDDEN, desc = "One block twice, or not the page's next two.")
@State
public class TwoAllocatorsTest {

  private final RacedHeap heap = RacedHeap.shared(2);
  private int one;
  private int other;

  @Actor
  public void one() {
    one = heap.allocateShared();
  }

  @Actor
  public void other() {
    other = heap.allocateShared();
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean next = Math.min(one, other) == 2 && Math.max(one, other) == 3;
    result.r1 = next ? "a block each" : one + " and " + other;
  }
}
