package io.github.mimalloc4j.core.memory;

import static java.util.Objects.requireNonNull;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
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
@Outcome(expect = FORBIDDEN, desc = "A bit was lost.")
@State
public class ClaimAndReleaseTest {

  private static final int SLICES = 192;
  private static final int OLD = 80;
  private static final int NEW = 20;

  private final Segment segment = new Segment(() -> {}, SLICES * Slices.BYTES, SLICES);
  private final Run old = requireNonNull(segment.claim(OLD));
  private @Nullable Run claimed;

  @Actor
  public void releaser() {
    old.release();
  }

  @Actor
  public void claimer() {
    claimed = segment.claim(NEW);
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (claimed != null && segment.claimedSlices() == NEW) {
      result.r1 = claimed.first() >= OLD ? "behind the old run" : "where the old run was";
    } else {
      result.r1 = "a bit was lost";
    }
  }
}
