package io.github.mimalloc4j.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * As {@link DoubleReleaseTest}, in a shared heap that is biased to one of the two threads. The
 * other one's release is collected at once.
 */
@JCStressTest
@Outcome(id = "one release threw", expect = ACCEPTABLE, desc = "The later one.")
@Outcome(
    id = "both succeeded",
    expect = ACCEPTABLE,
    desc = "The second one is dropped when it is collected.")
@Outcome(expect = FORBIDDEN, desc = "The block is free twice, or not at all.")
@State
public class BiasedDoubleReleaseTest extends DoubleReleaseTest {

  public BiasedDoubleReleaseTest() {
    super(RacedBuffer.shared());
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
