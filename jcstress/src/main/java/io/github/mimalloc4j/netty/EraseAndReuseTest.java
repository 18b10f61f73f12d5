package io.github.mimalloc4j.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A release by another thread erases the bytes while the owner waits to use them again. */
@JCStressTest
@Outcome(id = "not reused", expect = ACCEPTABLE, desc = "The owner came too early.")
@Outcome(id = "reused", expect = ACCEPTABLE, desc = "The bytes had been erased before.")
@Outcome(expect = FORBIDDEN, desc = "The new user's bytes were erased.")
@State
public class EraseAndReuseTest {

  private final RacedBuffer buffer = RacedBuffer.guarded();
  private boolean reused;

  @Actor
  public void owner() {
    buffer.own();
    buffer.awaitOther();
    reused = buffer.reuse();
    if (reused) {
      buffer.write(1);
    }
  }

  @Actor
  public void other() {
    buffer.awaitOwner();
    buffer.release();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (reused) {
      result.r1 = buffer.read() == 1 ? "reused" : "erased";
    } else {
      result.r1 = "not reused";
    }
  }
}
