package io.github.mimalloc4j.netty.threads;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Memory that is held back is freed by upkeep while another thread is about to obtain some. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "No limit counts it any more.")
@Outcome(expect = FORBIDDEN, desc = "Memory is obtained beside it.")
@State
public class ReleaseAndObtainTest {

  private final RacedTops tops = new RacedTops();

  @Actor
  public void upkeep() {
    tops.release();
  }

  @Actor
  public void obtains(Z_Result result) {
    result.r1 = tops.isFreedForWhoObtains();
  }
}
