package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A thread releases a block of a shared heap that is biased to it while another one allocates. */
@JCStressTest
@Outcome(id = "a block each", expect = ACCEPTABLE, desc = "The other one, and whoever comes next.")
@Outcome(expect = FORBIDDEN, desc = "One block twice, or not the page's last two.")
@State
public class BiasedReleaseAndAllocateTest {

  private final RacedHeap heap = RacedHeap.shared(2);
  private int taken;

  @Actor
  public void releaser() {
    heap.releaseShared(heap.allocateShared());
  }

  @Actor
  public void other() {
    taken = heap.allocateShared();
  }

  @Arbiter
  public void atRest(L_Result result) {
    int next = heap.allocate();
    boolean each = Math.min(taken, next) == 2 && Math.max(taken, next) == 3;
    result.r1 = each ? "a block each" : taken + " and " + next;
  }
}
