package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A bitmap of the index gets a bit while the tree grows. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "The segment is found.")
@Outcome(expect = FORBIDDEN, desc = "No search leads to the segment.")
@State
public class SetAndGrowTest {

  private final RacedRow row = new RacedRow().emptied();

  @Actor
  public void one() {
    row.set();
  }

  @Actor
  public void other() {
    row.grow();
  }

  @Arbiter
  public void atRest(Z_Result result) {
    result.r1 = row.isFound();
  }
}
