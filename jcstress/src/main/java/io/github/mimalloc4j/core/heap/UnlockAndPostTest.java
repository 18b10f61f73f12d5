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
 * A thread opens the lock of a shared heap while another one, told to, posts a page and finds the
 * lock taken.
 */
@JCStressTest
@Outcome(id = "no notice is left", expect = ACCEPTABLE, desc = "One of the two has read it.")
@Outcome(expect = FORBIDDEN, desc = "A notice waits that nobody will read.")
@State
public class UnlockAndPostTest {

  private final RacedHeap heap = RacedHeap.shared(4);

  public UnlockAndPostTest() {
    heap.allocate(); // finds the page exhausted and asks
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
    result.r1 = heap.hasMail() ? "a notice is left" : "no notice is left";
  }
}
