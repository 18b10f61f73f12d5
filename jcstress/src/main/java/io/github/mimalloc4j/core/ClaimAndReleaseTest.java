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

/** A run across a word's boundary is released while another thread claims one in the same words. */
@JCStressTest
@Outcome(id = "behind the old run", expect = ACCEPTABLE, desc = "Claimed before the release.")
@Outcome(id = "where the old run was", expect = ACCEPTABLE, desc = "Claimed after the release.")
@Outcome(expect = FORBIDDEN, desc = "A bit was lost, or the free slices are counted wrong.")
@State
public class ClaimAndReleaseTest {

  static final int SLICES = 192;
  private static final int OLD = 80;
  private static final int NEW = 20;

  private final SliceMap map;
  private final int old;
  private int first;

  public ClaimAndReleaseTest() {
    this(SliceMap.real(SLICES));
  }

  protected ClaimAndReleaseTest(SliceMap map) {
    this.map = map;
    old = map.claim(OLD);
  }

  @Actor
  public void releaser() {
    map.release(old, OLD);
  }

  @Actor
  public void claimer() {
    first = map.claim(NEW);
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (first != SliceMap.NO_ROOM && map.claimed() == NEW && map.free() == SLICES - NEW) {
      result.r1 = first >= OLD ? "behind the old run" : "where the old run was";
    } else {
      result.r1 = "a bit was lost";
    }
  }
}
