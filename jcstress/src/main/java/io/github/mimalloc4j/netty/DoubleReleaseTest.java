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

/** A wrong program: the owner and another thread release the one reference at the same time. */
@JCStressTest
@Outcome(id = "one release threw", expect = ACCEPTABLE, desc = "The later one.")
@Outcome(
    id = "both succeeded",
    expect = ACCEPTABLE,
    desc = "The second one is dropped when it is collected.")
@Outcome(expect = FORBIDDEN, desc = "The block is free twice, or not at all.")
@State
public class DoubleReleaseTest {

  private final RacedBuffer buffer;
  private boolean owner;
  private boolean other;

  public DoubleReleaseTest() {
    this(new RacedBuffer(1));
  }

  DoubleReleaseTest(RacedBuffer buffer) {
    this.buffer = buffer;
  }

  @Actor
  public void owner() {
    buffer.own();
    buffer.awaitOther();
    owner = releases();
  }

  @Actor
  public void other() {
    buffer.awaitOwner();
    other = releases();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if ((owner || other) && buffer.timesFree() == 1) {
      result.r1 = owner && other ? "both succeeded" : "one release threw";
    } else {
      result.r1 = owner || other ? "the block is not free once" : "both threw";
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
