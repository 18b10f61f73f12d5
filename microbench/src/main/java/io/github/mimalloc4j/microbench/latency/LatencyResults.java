package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Percentiles;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * All that one run of the command found out.
 *
 * @param collections garbage collections while operations were timed, by subject, in all rounds
 * @param distributions by subject and operation
 */
public record LatencyResults(
    Setup setup, Map<String, Long> collections, List<Distribution> distributions) {
  public static final FileFormat<LatencyResults> FORMAT =
      new FileFormat<>("mimalloc4j latency 3", LatencyResults.class, LatencyReport::new);

  static final String ALLOCATE = "allocate";
  static final String RELEASE = "release";

  /** What is slower than all percentiles. */
  static final String MAX = "100";

  static final List<String> PERCENTILES = List.of("50", "90", "99", "99.9", "99.99", "99.999", MAX);

  private static final double HUNDRED = 100;

  /**
   * How long one operation of one subject took.
   *
   * @param count how many times, in all rounds
   * @param all of all rounds together, by the percentile's name: the nanoseconds that so many
   *     operations of a hundred took at most
   * @param rounds the same of each round, that is, of each JVM
   */
  record Distribution(
      String subject,
      String operation,
      long count,
      Map<String, Long> all,
      List<Map<String, Long>> rounds) {}

  static LatencyResults of(Setup setup, Map<String, List<RoundResult>> rounds) {
    Map<String, Long> collections = new LinkedHashMap<>();
    List<Distribution> distributions = new ArrayList<>();
    rounds.forEach(
        (subject, own) -> {
          collections.put(subject, own.stream().mapToLong(RoundResult::collections).sum());
          distributions.add(distribution(subject, ALLOCATE, own, RoundResult::allocate));
          distributions.add(distribution(subject, RELEASE, own, RoundResult::release));
        });
    return new LatencyResults(setup, collections, distributions);
  }

  private static Distribution distribution(
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
        percentiles(sum),
        rounds.stream().map(histogram).map(LatencyResults::percentiles).toList());
  }

  /** Without those beyond which there is not a single operation. */
  static Map<String, Long> percentiles(Histogram histogram) {
    Map<String, Long> nanos = new LinkedHashMap<>();
    for (String name : PERCENTILES) {
      double percent = Double.parseDouble(name);
      if (name.equals(MAX)) {
        nanos.put(name, histogram.getMaxValue());
      } else if (Percentiles.has(histogram.getTotalCount(), percent)) {
        nanos.put(name, histogram.getValueAtPercentile(percent));
      }
    }
    return nanos;
  }

  /** One of how many operations is slower than a percentile; the maximum is one of all. */
  static double oneOf(String name, long count) {
    return name.equals(MAX) ? count : HUNDRED / (HUNDRED - Double.parseDouble(name));
  }

  static String title(String name) {
    return name.equals(MAX) ? "max" : name + " %";
  }

  List<Distribution> of(String operation) {
    return distributions.stream().filter(one -> one.operation().equals(operation)).toList();
  }
}
