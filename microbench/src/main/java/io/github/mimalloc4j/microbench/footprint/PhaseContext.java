package io.github.mimalloc4j.microbench.footprint;

import java.util.concurrent.TimeUnit;

/**
 * What the phases work with.
 *
 * @param loops the event loops
 * @param memory where buffers come from
 * @param plan how much and how long
 * @param atHeight to be run when no more is going to be live
 */
record PhaseContext(Loops loops, LiveMemory memory, FootprintPlan plan, Runnable atHeight) {

  /** A part of a phase's work. */
  @FunctionalInterface
  interface Step {
    /**
     * Does it.
     *
     * @param number counted from 1
     */
    void run(int number) throws Exception;
  }

  /** Lets a part of a phase pass. */
  void rest(double share) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(plan.part(share).toNanos());
  }

  /** Spreads as many steps as there is time for over a part of a phase. */
  void paced(double share, Step step) throws Exception {
    paced(plan.steps(share), share, step);
  }

  /**
   * Spreads work over a part of a phase, so that a chart shows it and all allocators take about
   * equally long for it. The work is a number of steps, not a time: slow allocators do as much as
   * fast ones, and end later if the time is too short.
   */
  void paced(int steps, double share, Step step) throws Exception {
    long start = System.nanoTime();
    long nanos = plan.part(share).toNanos();
    for (int i = 1; i <= steps; i++) {
      step.run(i);
      TimeUnit.NANOSECONDS.sleep(start + nanos / steps * i - System.nanoTime());
    }
  }
}
