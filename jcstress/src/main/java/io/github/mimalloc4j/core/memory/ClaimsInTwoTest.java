package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Two segments are claimed in, of which the index is not told at once. */
@JCStressTest
@Outcome(
    id = "true",
    expect = ACCEPTABLE,
    desc = "What the index was not told of it will be told of.")
@Outcome(expect = FORBIDDEN, desc = "A claim will never be told.")
@State
public class ClaimsInTwoTest {

  private final RacedClaims claims = new RacedClaims();

  @Actor
  public void one() {
    claims.claimInFirst();
  }

  @Actor
  public void other() {
    claims.claimInThird();
  }

  @Arbiter
  public void atRest(Z_Result result) {
    result.r1 = claims.isRight();
  }
}
