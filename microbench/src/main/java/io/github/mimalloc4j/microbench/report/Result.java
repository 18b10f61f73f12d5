package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What one benchmark with one set of parameters found out about one allocator.
 *
 * @param work everything else that tells it from other results
 * @param metrics by their names, {@link Comparison#TIME} among them
 */
record Result(String allocator, Work work, Map<String, Metric> metrics) {
  /**
   * What was done. Results of the same work can be compared.
   *
   * @param benchmark the class and the method, without the package
   * @param parameters without the allocator
   */
  record Work(
      String benchmark,
      String mode,
      String unit,
      int threads,
      Map<String, String> parameters,
      Setup setup) {
    /** The threads as an axis; no benchmark has a parameter of this name. */
    static final String THREADS = "number of threads";

    private static final Map<String, Double> MICROS =
        Map.of("ns", 1e-3, "us", 1.0, "ms", 1e3, "s", 1e6);

    boolean isThroughput() {
      return mode.equals("thrpt");
    }

    /**
     * A place on an axis: a parameter, or {@link #THREADS}. Words have none, and 0 has none on a
     * logarithmic one.
     */
    Optional<Double> place(String axis) {
      String number =
          axis.equals(THREADS) ? String.valueOf(threads) : parameters.getOrDefault(axis, "");
      return number.matches("[1-9]\\d{0,15}")
          ? Optional.of(Double.valueOf(number))
          : Optional.empty();
    }

    Work without(String axis) {
      Map<String, String> others = new TreeMap<>(parameters);
      others.remove(axis);
      return new Work(benchmark, mode, unit, axis.equals(THREADS) ? 0 : threads, others, setup);
    }

    /**
     * Operations in a microsecond, of all threads together.
     *
     * @param value a time of an operation, or a throughput; empty for units of other kinds
     */
    Optional<Double> operationsPerMicro(double value) {
      Double micros = MICROS.get(unit.replaceFirst("^ops/|/op$", ""));
      if (micros == null) {
        return Optional.empty();
      }
      return Optional.of(unit.startsWith("ops/") ? value / micros : threads / (value * micros));
    }
  }

  /**
   * Something that JMH measured.
   *
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
}
