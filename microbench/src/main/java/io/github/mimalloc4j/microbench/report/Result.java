package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.Setup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one benchmark with one set of parameters found out about one allocator.
 *
 * @param allocator the value of the parameter of that name
 * @param work everything else that tells it from other results
 * @param time time of an operation, or operations in a time
 * @param secondary other measures, by their names
 */
record Result(String allocator, Work work, Metric time, Map<String, Metric> secondary) {
  /** The parameter that says which allocator is measured. */
  static final String ALLOCATOR = "allocator";

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

    /** Whether larger numbers are better. */
    boolean isThroughput() {
      return mode.equals("thrpt");
    }
  }

  Optional<Metric> secondary(String name) {
    return Optional.ofNullable(secondary.get(name));
  }

  /** One result of two that repeat the same: with the forks of both. */
  Result and(Result other) {
    Map<String, Metric> both = new LinkedHashMap<>(secondary);
    other.secondary.forEach((name, metric) -> both.merge(name, metric, Metric::and));
    return new Result(allocator, work, time.and(other.time), both);
  }
}
