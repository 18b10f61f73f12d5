package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The last run of a segment is released, and the update of the index fails; a claim searches. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "The index has the change.")
@Outcome(expect = FORBIDDEN, desc = "The index has another gap than the segment.")
@State
public class ChangeCutShortTest {

  private final RacedIndex index = new RacedIndex();

  public ChangeCutShortTest() {
    index.releaseOther();
  }

  @Actor
  public void release() {
    index.releaseInVain();
  }

  @Actor
  public void search() {
    index.search();
  }

  @Arbiter
  public void atRest(Z_Result result) {
    result.r1 = index.isRight();
  }
}
