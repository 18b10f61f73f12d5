package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.mimalloc4j.core.memory.SliceMap;
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

  static final int SLICES = 192;
  private static final int RUN = 80;

  private final SliceMap map;
  private int one;
  private int other;

  public TwoClaimsTest() {
    this(SliceMap.real(SLICES));
  }

  protected TwoClaimsTest(SliceMap map) {
    this.map = map;
  }

  @Actor
  public void one() {
    one = map.claim(RUN);
  }

  @Actor
  public void other() {
    other = map.claim(RUN);
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean both = one != SliceMap.NO_ROOM && other != SliceMap.NO_ROOM;
    boolean either = one != SliceMap.NO_ROOM || other != SliceMap.NO_ROOM;
    boolean apart = !both || Math.abs(one - other) >= RUN;
    int expected = both ? 2 * RUN : RUN;
    if (either && apart && map.claimed() == expected && map.free() == SLICES - expected) {
      result.r1 = both ? "both got a run" : "one saw no room";
    } else {
      result.r1 = either ? "they overlap, or the figures are wrong" : "neither got a run";
    }
  }
}
