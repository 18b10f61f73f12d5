package io.github.mimalloc4j.microbench.latency;

/**
 * What can be said of the clock.
 *
 * @param cost nanoseconds from one reading to the next, in the quietest of many short runs
 * @param granularity the smallest step between two different readings, in nanoseconds
 */
record Clock(double cost, long granularity) {
  private static final int RUNS = 200;
  private static final int READINGS = 5_000;

  /** Reads the clock of this JVM about a million times. */
  static Clock measure() {
    double cost = Double.MAX_VALUE;
    long granularity = Long.MAX_VALUE;
    // What interrupts this thread, and code that is not yet compiled, spoils some of the runs.
    for (int run = 0; run < RUNS; run++) {
      Clock found = readings();
      cost = Math.min(cost, found.cost);
      granularity = Math.min(granularity, found.granularity);
    }
    return new Clock(cost, granularity);
  }

  private static Clock readings() {
    long smallest = Long.MAX_VALUE;
    long start = System.nanoTime();
    long last = start;
    for (int i = 0; i < READINGS; i++) {
      long now = System.nanoTime();
      long step = now - last;
      if (step > 0 && step < smallest) {
        smallest = step;
      }
      last = now;
    }
    return new Clock((double) (last - start) / READINGS, smallest);
  }
}
