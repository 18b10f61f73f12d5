package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

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

  private final SegmentPool pool =
      new SegmentPool(bytes -> () -> {}, MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
  private final Run run = pool.claim(1);

  @Actor
  public void closer() {
    pool.close();
  }

  @Actor
  public void releaser() {
    run.release();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = pool.usedBytes() == 0 ? "given back" : "kept";
  }
}
