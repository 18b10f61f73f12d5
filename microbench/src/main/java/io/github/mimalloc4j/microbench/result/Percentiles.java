package io.github.mimalloc4j.microbench.result;

/** Which percentiles a number of measurements has. */
public final class Percentiles {
  private static final double HUNDRED = 100;

  /** One measurement, and a little less for what a division loses. */
  private static final double ONE = 0.999;

  private Percentiles() {}

  /**
   * Returns whether at least one of the measurements is beyond the percentile. Otherwise it is the
   * maximum by another name.
   */
  public static boolean has(long measurements, double percent) {
    return measurements * (HUNDRED - percent) / HUNDRED >= ONE;
  }
}
