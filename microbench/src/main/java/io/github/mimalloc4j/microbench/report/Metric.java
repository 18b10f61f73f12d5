package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.result.Spread;
import java.util.List;
import java.util.stream.Stream;

/**
 * Something that JMH measured.
 *
 * @param unit of all numbers
 * @param forks the iterations of each fork, that is, of each JVM
 */
record Metric(String unit, List<List<Double>> forks) {
  /**
   * What the spread is taken from: a number for each fork, the median of its iterations. Of a
   * single fork, each iteration; they tell nothing of the difference between JVMs.
   */
  List<Double> samples() {
    return forks.size() == 1 ? forks.get(0) : forks.stream().map(Spread::median).toList();
  }

  /** The highest of all iterations. */
  double highest() {
    return Spread.of(iterations()).high();
  }

  /** The sum of all iterations of a fork, on average. */
  double sumPerFork() {
    return iterations().stream().mapToDouble(Double::doubleValue).sum() / forks.size();
  }

  private List<Double> iterations() {
    return forks.stream().flatMap(List::stream).toList();
  }

  /** Of two that repeat the same: with the forks of both. */
  Metric and(Metric other) {
    return new Metric(unit, Stream.concat(forks.stream(), other.forks.stream()).toList());
  }
}
