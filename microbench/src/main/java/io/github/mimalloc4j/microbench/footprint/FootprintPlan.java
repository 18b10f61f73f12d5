package io.github.mimalloc4j.microbench.footprint;

import java.time.Duration;

/**
 * How large and how long a run is; the same for all allocators.
 *
 * @param burstBytes the burst's live set; other live sets are parts of it
 * @param phase how long each phase takes
 * @param threads how many threads of each kind the churn starts
 */
record FootprintPlan(long burstBytes, Duration phase, int threads) {
  /** How long a step of a phase takes: often enough for a smooth line in a chart. */
  private static final int STEP_MILLIS = 10;

  long steadyBytes() {
    return burstBytes / 32;
  }

  /** What one thread allocates at once and another releases. */
  long lastHandoverBytes() {
    return burstBytes / 8;
  }

  /** The live set of which a random 90 % is released. */
  long scatterBytes() {
    return burstBytes / 2;
  }

  /** A part of a phase's time. */
  Duration part(double share) {
    return Duration.ofNanos((long) (phase.toNanos() * share));
  }

  /** The number of steps in such a part; at least one. */
  int steps(double share) {
    return (int) Math.max(1, part(share).toMillis() / STEP_MILLIS);
  }
}
