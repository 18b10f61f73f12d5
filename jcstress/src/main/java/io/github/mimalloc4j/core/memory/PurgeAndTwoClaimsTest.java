package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads claim where the smallest gap is, and one of them purges what it finds free. */
@JCStressTest
@Outcome(id = "a run each", expect = ACCEPTABLE, desc = "The purge found the segment in use.")
@Outcome(
    id = "one run, and a purge",
    expect = ACCEPTABLE,
    desc = "There was no room for the other.")
@Outcome(
    expect = FORBIDDEN,
    desc = "A run of a purged segment, one slice in two runs, or none where there was room.")
@State
public class PurgeAndTwoClaimsTest {

  private final RacedSegments segments = new RacedSegments();
  private int one;
  private int other;
  private boolean purged;

  @Actor
  public void one() {
    one = segments.claim();
  }

  @Actor
  public void other() {
    other = segments.claim();
    purged = segments.purge();
  }

  @Arbiter
  public void atRest(L_Result result) {
    int first = Math.min(one, other);
    int last = Math.max(one, other);
    if (purged && first == RacedSegments.NO_ROOM && last >= 0 && last < RacedSegments.SECOND) {
      result.r1 = "one run, and a purge";
    } else if (!purged && first >= 0 && first != last) {
      result.r1 = "a run each";
    } else {
      result.r1 = one + " and " + other + (purged ? ", purged" : ", not purged");
    }
  }
}
