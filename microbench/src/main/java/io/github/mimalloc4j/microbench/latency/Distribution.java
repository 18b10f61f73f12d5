package io.github.mimalloc4j.microbench.latency;

import java.util.List;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * How long one operation of one subject took.
 *
 * @param subject the allocator or the floor
 * @param operation what was done: allocate or release
 * @param count how many times, in all rounds
 * @param all the percentiles of all rounds together
 * @param rounds the percentiles of each round, that is, of each JVM
 */
record Distribution(
    String subject, String operation, long count, Percentiles all, List<Percentiles> rounds) {
  static final String ALLOCATE = "allocate";
  static final String RELEASE = "release";

  static Distribution of(
      String subject,
      String operation,
      List<RoundResult> rounds,
      Function<RoundResult, Histogram> histogram) {
    Histogram sum = RoundResult.histogram();
    rounds.forEach(round -> sum.add(histogram.apply(round)));
    return new Distribution(
        subject,
        operation,
        sum.getTotalCount(),
        Percentiles.of(sum),
        rounds.stream().map(histogram).map(Percentiles::of).toList());
  }
}
