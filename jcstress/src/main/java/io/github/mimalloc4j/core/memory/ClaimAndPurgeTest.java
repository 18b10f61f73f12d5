package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A free segment is claimed whole, to be purged, while another thread claims a run of it. */
@JCStressTest
@Outcome(id = "purged, no room", expect = ACCEPTABLE, desc = "The purge came first.")
@Outcome(id = "claimed, no purge", expect = ACCEPTABLE, desc = "The claim came first.")
@Outcome(expect = FORBIDDEN, desc = "A run in freed memory, or bits that nobody holds.")
@State
public class ClaimAndPurgeTest {

  private static final int SLICES = 128;
  private static final int RUN = 80;

  private final Segment segment = new Segment(() -> {}, SLICES * Slices.BYTES, SLICES);
  private boolean purged;
  private boolean claimed;

  @Actor
  public void purger() {
    purged = segment.claimWhole();
  }

  @Actor
  public void claimer() {
    claimed = segment.claim(RUN) != null;
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (purged && !claimed && segment.claimedSlices() == SLICES) {
      result.r1 = "purged, no room";
    } else if (!purged && claimed && segment.claimedSlices() == RUN) {
      result.r1 = "claimed, no purge";
    } else {
      result.r1 = "purged: " + purged + ", claimed: " + claimed;
    }
  }
}
