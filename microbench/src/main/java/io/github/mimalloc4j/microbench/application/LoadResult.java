package io.github.mimalloc4j.microbench.application;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a load found.
 *
 * @param requests that were answered correctly
 * @param seconds until the last of them was
 * @param errors wrong answers and missing ones, and one if a connection was lost without any
 * @param timing null where the load did not measure it
 */
public record LoadResult(
    long requests,
    double seconds,
    long errors,
    @Nullable String firstError,
    @Nullable Timing timing) {

  /** The same with a timing. */
  public LoadResult with(Timing measured) {
    return new LoadResult(requests, seconds, errors, firstError, measured);
  }

  /** The same with an error that no request was answered with. */
  public LoadResult withError(String error) {
    return new LoadResult(
        requests, seconds, errors + 1, firstError == null ? error : firstError, timing);
  }

  /** Three digits: an error of at most one part in a thousand. */
  private static final int DIGITS = 3;

  /** In microseconds. */
  public record Latency(double p50, double p90, double p99, double p999, double p9999, double max) {
    static Latency of(Histogram nanos) {
      return new Latency(
          micros(nanos.getValueAtPercentile(50)),
          micros(nanos.getValueAtPercentile(90)),
          micros(nanos.getValueAtPercentile(99)),
          micros(nanos.getValueAtPercentile(99.9)),
          micros(nanos.getValueAtPercentile(99.99)),
          micros(nanos.getMaxValue()));
    }

    private static double micros(long nanos) {
      return nanos / 1e3;
    }
  }

  /**
   * What a load at a fixed rate found.
   *
   * @param latency from the time at which a request was due to its answer
   * @param late how much later than due all but one in a hundred requests left at most, in
   *     microseconds: the client's share of the latency
   */
  public record Timing(Latency latency, double late) {
    public static Timing of(Histogram latencyNanos, Histogram lateNanos) {
      return new Timing(
          Latency.of(latencyNanos), Latency.micros(lateNanos.getValueAtPercentile(99)));
    }
  }

  public static Histogram emptyHistogram() {
    return new Histogram(DIGITS);
  }
}
