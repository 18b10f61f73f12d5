package io.github.mimalloc4j.microbench.endtoend;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The warm-up of all servers of a round: all of them for the same time, so that their code is
 * equally warm. It goes on step by step until the compilers of all of them rest, or time is up.
 */
final class WarmUp {
  private static final Duration STEP = Duration.ofSeconds(5);

  private WarmUp() {}

  /** Puts a server under load for a while. */
  @FunctionalInterface
  interface Step {
    /** Returns whether its compilers rested meanwhile. */
    boolean run(Duration time) throws IOException, InterruptedException;
  }

  static void run(Duration most, List<Step> servers) throws IOException, InterruptedException {
    Duration left = most;
    boolean allRest;
    do {
      Duration time = left.compareTo(STEP) < 0 ? left : STEP;
      allRest = true;
      for (Step server : servers) {
        allRest &= server.run(time);
      }
      left = left.minus(time);
    } while (!left.isZero() && !allRest);
  }
}
