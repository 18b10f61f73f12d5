package io.github.mimalloc4j.microbench.report;

import java.util.Map;
import java.util.OptionalDouble;

/** JMH's units of time. */
final class Units {
  private static final Map<String, Double> NANOS =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

  private static final double NANOS_PER_MICRO = 1e3;
  private static final String PER_OPERATION = "/op";
  private static final String OPERATIONS_PER = "ops/";

  private Units() {}

  /**
   * Operations in a microsecond, of all threads together.
   *
   * @param work says what the value is
   * @param value a time of an operation, or a throughput; empty for units of other kinds
   */
  static OptionalDouble operationsPerMicro(Result.Work work, double value) {
    String unit = work.unit();
    if (unit.startsWith(OPERATIONS_PER)) {
      Double nanos = NANOS.get(unit.substring(OPERATIONS_PER.length()));
      return nanos == null
          ? OptionalDouble.empty()
          : OptionalDouble.of(value * NANOS_PER_MICRO / nanos);
    }
    if (unit.endsWith(PER_OPERATION)) {
      Double nanos = NANOS.get(unit.substring(0, unit.length() - PER_OPERATION.length()));
      return nanos == null
          ? OptionalDouble.empty()
          : OptionalDouble.of(work.threads() * NANOS_PER_MICRO / (value * nanos));
    }
    return OptionalDouble.empty();
  }
}
