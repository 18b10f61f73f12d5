package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.mimalloc4j.core.memory.PoolView;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A pool is closed while the last run of its segment is released. */
@JCStressTest
@Outcome(id = "given back", expect = ACCEPTABLE, desc = "By the releaser or by whoever closes.")
@Outcome(expect = FORBIDDEN, desc = "A free segment is kept.")
@State
public class ClosePoolAndReleaseTest {

  private final PoolView pool;

  public ClosePoolAndReleaseTest() {
    this(PoolView.real());
  }

  protected ClosePoolAndReleaseTest(PoolView pool) {
    this.pool = pool;
  }

  @Actor
  public void closer() {
    pool.close();
  }

  @Actor
  public void releaser() {
    pool.release();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = pool.isNothingUsed() ? "given back" : "kept";
  }
}
