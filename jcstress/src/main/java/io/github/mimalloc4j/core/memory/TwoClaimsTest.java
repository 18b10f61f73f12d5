package io.github.mimalloc4j.core.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads claim runs that overlap and cross the boundary of two words of the bitmap. One may
 * force the other to a place from where there is no room for it.
 */
@JCStressTest
@Outcome(id = "both got a run", expect = ACCEPTABLE, desc = "One behind the other.")
@Outcome(id = "one saw no room", expect = ACCEPTABLE, desc = "The other's run is in its way.")
@Outcome(expect = FORBIDDEN, desc = "A slice in two runs or in none, or no run at all.")
@State
public class TwoClaimsTest {

  private static final int SLICES = 192;
  private static final int RUN = 80;

  private final Segment segment = new Segment(() -> {}, SLICES * Slices.BYTES, SLICES);
  private @Nullable Run one;
  private @Nullable Run other;

  @Actor
  public void one() {
    one = segment.claim(RUN);
  }

  @Actor
  public void other() {
    other = segment.claim(RUN);
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean both = one != null && other != null;
    boolean either = one != null || other != null;
    boolean apart = !both || Math.abs(one.first() - other.first()) >= RUN;
    int expected = both ? 2 * RUN : RUN;
    if (either && apart && segment.claimedSlices() == expected) {
      result.r1 = both ? "both got a run" : "one saw no room";
    } else {
      result.r1 = either ? "they overlap, or the figures are wrong" : "neither got a run";
    }
  }
}
