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
 * A thread opens the lock of an abandoned heap while another one releases the last block and may
 * find the lock taken.
 */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "One of the two has read the notice.")
@Outcome(expect = FORBIDDEN, desc = "A notice waits that nobody will read.")
@State
public class UnlockAndPostTest {

  private final RacedHeap heap = RacedHeap.owned(1);

  public UnlockAndPostTest() {
    heap.abandon();
  }

  @Actor
  public void visitor() {
    heap.visit();
  }

  @Actor
  public void releaser() {
    heap.releaseElsewhere(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = heap.fate();
  }
}
