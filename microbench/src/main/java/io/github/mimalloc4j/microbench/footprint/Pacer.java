package io.github.mimalloc4j.microbench.footprint;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Spreads work over a time, so that a chart shows it and all allocators take about equally long for
 * it. The work is a number of steps, not a time: slow allocators do as much as fast ones.
 */
final class Pacer {
  private Pacer() {}

  /** A part of the work. */
  @FunctionalInterface
  interface Step {
    /**
     * Does it.
     *
     * @param number counted from 1
     */
    void run(int number) throws Exception;
  }

  /** Runs the steps, the last of which ends with the time or, if that is too short, later. */
  static void run(int steps, Duration time, Step step) throws Exception {
    long start = System.nanoTime();
    long nanos = time.toNanos();
    for (int i = 1; i <= steps; i++) {
      step.run(i);
      long left = start + nanos / steps * i - System.nanoTime();
      if (left > 0) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    }
  }
}
