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

/** A wrong program: a thread retains what it has released, while the owner reuses the block. */
@JCStressTest
@Outcome(id = "threw, not reused", expect = ACCEPTABLE, desc = "The owner came too early.")
@Outcome(id = "threw, reused", expect = ACCEPTABLE, desc = "It left no trace in the new count.")
@Outcome(id = "retained the new buffer", expect = ACCEPTABLE, desc = "Nobody can tell them apart.")
@Outcome(expect = FORBIDDEN, desc = "The block is lost, or the new user's count is wrong.")
@State
public class RetainAfterReleaseTest {

  private final RacedBuffer buffer = new RacedBuffer(1);
  private boolean reused;
  private boolean retained;

  @Actor
  public void owner() {
    buffer.own();
    buffer.awaitOther();
    reused = buffer.reuse();
  }

  @Actor
  public void other() {
    buffer.awaitOwner();
    buffer.release();
    try {
      buffer.retain();
      retained = true;
    } catch (IllegalReferenceCountException e) {
      retained = false;
    }
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = outcome();
  }

  private String outcome() {
    if (retained && !reused) {
      return "a free block was retained";
    }
    try {
      if (retained && buffer.release()) {
        return "two references were one";
      }
      if (reused && !buffer.release()) {
        return "there is a reference too many";
      }
    } catch (IllegalReferenceCountException e) {
      return "the new user's reference is gone";
    }
    if (buffer.isDoubleReleaseReported()) {
      return "it was taken for a double release";
    }
    if (buffer.timesFree() != 1) {
      return "the block is lost";
    }
    return retained ? "retained the new buffer" : reused ? "threw, reused" : "threw, not reused";
  }
}
