package io.github.mimalloc4j.microbench.endtoend;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a load found.
 *
 * @param latency from request to complete answer
 * @param errors answers other than 200, wrong echoes, failed and lost connections
 */
record LoadResult(
    long requests, double seconds, Latency latency, long errors, @Nullable String firstError) {

  /** Three digits: an error of at most one part in a thousand. */
  private static final int DIGITS = 3;

  /** In microseconds. */
  record Latency(double p50, double p90, double p99, double p999, double max) {
    static Latency of(Histogram micros) {
      return new Latency(
          micros.getValueAtPercentile(50),
          micros.getValueAtPercentile(90),
          micros.getValueAtPercentile(99),
          micros.getValueAtPercentile(99.9),
          micros.getMaxValue());
    }
  }

  static Histogram emptyHistogram() {
    return new Histogram(DIGITS);
  }
}
