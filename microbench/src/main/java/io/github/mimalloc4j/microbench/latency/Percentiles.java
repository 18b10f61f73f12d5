package io.github.mimalloc4j.microbench.latency;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Points of a distribution.
 *
 * @param nanos by the percentile's name, one of {@link #NAMES}: the time that so many operations of
 *     a hundred took at most
 */
record Percentiles(Map<String, Long> nanos) {
  /** What is slower than all percentiles. */
  static final String MAX = "100";

  static final List<String> NAMES = List.of("50", "90", "99", "99.9", "99.99", "99.999", MAX);

  private static final double HUNDRED = 100;

  /** One operation, and a little less for what a division loses. */
  private static final double ONE = 0.999;

  /** Those of a histogram; without those beyond which there is not a single operation. */
  static Percentiles of(Histogram histogram) {
    Map<String, Long> nanos = new LinkedHashMap<>();
    for (String name : NAMES) {
      double percent = Double.parseDouble(name);
      if (name.equals(MAX)) {
        nanos.put(name, histogram.getMaxValue());
      } else if (histogram.getTotalCount() * (HUNDRED - percent) / HUNDRED >= ONE) {
        nanos.put(name, histogram.getValueAtPercentile(percent));
      }
    }
    return new Percentiles(nanos);
  }

  /** One of how many operations is slower than a percentile; the maximum is one of all. */
  static double oneOf(String name, long count) {
    return name.equals(MAX) ? count : HUNDRED / (HUNDRED - Double.parseDouble(name));
  }

  /** A percentile in words. */
  static String title(String name) {
    return name.equals(MAX) ? "max" : name + " %";
  }
}
