package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The segment that was claimed in last is claimed in again, and so is another one. */
@JCStressTest
@Outcome(
    id = "true",
    expect = ACCEPTABLE,
    desc = "What the index was not told of it will be told of.")
@Outcome(expect = FORBIDDEN, desc = "A claim will never be told.")
@State
public class ClaimInLastAndInOtherTest {

  private final RacedClaims claims = new RacedClaims();

  @Actor
  public void one() {
    claims.claimInLast();
  }

  @Actor
  public void other() {
    claims.claimInFirst();
  }

  @Arbiter
  public void atRest(Z_Result result) {
    result.r1 = claims.isRight();
  }
}
