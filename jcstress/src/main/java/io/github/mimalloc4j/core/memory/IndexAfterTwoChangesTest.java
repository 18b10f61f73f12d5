package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Two runs of a segment are released. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "The index has the last change.")
@Outcome(expect = FORBIDDEN, desc = "The index has another gap than the segment.")
@State
public class IndexAfterTwoChangesTest {

  private final RacedIndex index = new RacedIndex();

  @Actor
  public void one() {
    index.release();
  }

  @Actor
  public void other() {
    index.releaseOther();
  }

  @Arbiter
  public void atRest(Z_Result result) {
    result.r1 = index.isRight();
  }
}
