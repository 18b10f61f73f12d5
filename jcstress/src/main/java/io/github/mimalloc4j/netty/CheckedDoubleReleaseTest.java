package io.github.mimalloc4j.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** As {@link DoubleReleaseTest}, of a buffer of which each release is checked. */
@JCStressTest
@Outcome(id = "one release threw", expect = ACCEPTABLE, desc = "The later one.")
@Outcome(expect = FORBIDDEN, desc = "Both succeeded, or the block is not free once.")
@State
public class CheckedDoubleReleaseTest extends DoubleReleaseTest {

  public CheckedDoubleReleaseTest() {
    super(RacedBuffer.guarded());
  }

  @Actor
  @Override
  public void owner() {
    super.owner();
  }

  @Actor
  @Override
  public void other() {
    super.other();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
