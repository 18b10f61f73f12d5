package io.github.mimalloc4j.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.netty.util.IllegalReferenceCountException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A wrong program: two threads release the one reference at the same time. The shared heap is
 * biased to the first of them, and the other one's release is collected at once.
 */
@JCStressTest
@Outcome(id = "one release threw", expect = ACCEPTABLE, desc = "The later one.")
@Outcome(
    id = "both succeeded",
    expect = ACCEPTABLE,
    desc = "The second one is dropped when it is collected.")
@Outcome(expect = FORBIDDEN, desc = "The block is free twice, or not at all.")
@State
public class BiasedDoubleReleaseTest {

  private final RacedBuffer buffer = RacedBuffer.shared();
  private boolean one;
  private boolean other;

  @Actor
  public void one() {
    buffer.useHeap();
    one = releases();
  }

  @Actor
  public void other() {
    other = releases();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if ((one || other) && buffer.timesFree() == 1) {
      result.r1 = one && other ? "both succeeded" : "one release threw";
    } else {
      result.r1 = one || other ? "the block is not free once" : "both threw";
    }
  }

  private boolean releases() {
    try {
      return buffer.release();
    } catch (IllegalReferenceCountException e) {
      return false;
    }
  }
}
