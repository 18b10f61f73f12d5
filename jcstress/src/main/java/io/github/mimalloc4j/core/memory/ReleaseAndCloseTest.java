package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A pool is closed after a release, of which another thread is about to tell the node above. */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "Both segments.")
@Outcome(expect = FORBIDDEN, desc = "A free segment is kept.")
@State
public class ReleaseAndCloseTest {

  private final TwoLeaves leaves = new TwoLeaves();

  @Actor
  public void closer() {
    leaves.releaseAndClose();
  }

  @Actor
  public void releaser() {
    leaves.release();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = leaves.isEmptyAtLast() ? "given back" : "kept";
  }
}
