package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.result.Setup;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What one benchmark with one set of parameters found out about one allocator.
 *
 * @param allocator the value of the parameter of that name
 * @param work everything else that tells it from other results
 * @param metrics by their names, {@link Comparison#TIME} among them
 */
record Result(String allocator, Work work, Map<String, Metric> metrics) {
  /**
   * What was done. Results of the same work can be compared.
   *
   * @param benchmark the class and the method, without the package
   * @param mode JMH's short name of what it measured
   * @param unit of the time
   * @param threads how many
   * @param parameters without the allocator
   * @param setup where and with what flags
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

    private static final double NANOS_PER_MICRO = 1e3;
    private static final Map<String, Double> NANOS =
        Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

    /** Whether larger numbers are better. */
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

    /** What is the same along an axis. */
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
    OptionalDouble operationsPerMicro(double value) {
      Double nanos = NANOS.get(unit.replaceFirst("^ops/|/op$", ""));
      if (nanos == null) {
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(
          unit.startsWith("ops/")
              ? value * NANOS_PER_MICRO / nanos
              : threads * NANOS_PER_MICRO / (value * nanos));
    }
  }
}
