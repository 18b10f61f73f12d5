package io.github.mimalloc4j.microbench.endtoend;

import org.jspecify.annotations.Nullable;

/**
 * What a load found.
 *
 * @param requests answered
 * @param seconds that it took
 * @param latency from request to complete answer
 * @param errors answers other than 200, wrong echoes, failed and lost connections
 * @param firstError what the first of them was; null if there was none
 */
record LoadResult(
    long requests, double seconds, Latency latency, long errors, @Nullable String firstError) {

  /**
   * How long requests took, in microseconds.
   *
   * @param p50 one half took at most this long
   * @param p90 9 of 10
   * @param p99 99 of 100
   * @param p999 999 of 1,000
   * @param max the longest
   */
  record Latency(double p50, double p90, double p99, double p999, double max) {}
}
