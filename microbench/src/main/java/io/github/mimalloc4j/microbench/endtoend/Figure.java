package io.github.mimalloc4j.microbench.endtoend;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is reported of each round. */
enum Figure {
  /** Requests answered in a second. */
  THROUGHPUT(
      "requestsPerSecond", "requests/s", "%.0f", r -> r.load().requests() / r.load().seconds()),

  /** Processor time of the server's process for a request, in microseconds. */
  CPU(
      "cpuMicrosPerRequest",
      "CPU us/request",
      "%.2f",
      r -> r.cpuSeconds() == null ? null : r.cpuSeconds() * 1e6 / r.load().requests()),

  /** Latencies, in microseconds. */
  P50("latencyP50Micros", "p50 us", "%.0f", r -> r.load().latency().p50()),
  P90("latencyP90Micros", "p90 us", "%.0f", r -> r.load().latency().p90()),
  P99("latencyP99Micros", "p99 us", "%.0f", r -> r.load().latency().p99()),
  P999("latencyP999Micros", "p99.9 us", "%.0f", r -> r.load().latency().p999()),
  MAX("latencyMaxMicros", "max us", "%.0f", r -> r.load().latency().max()),

  /** The peak of what the allocator held, in MiB. */
  USED("usedMib", "used MiB", "%.1f", r -> mib(r.peak().used())),

  /** The peak of what the process had in the machine's memory, in MiB. */
  RESIDENT("residentMib", "resident MiB", "%.0f", r -> mib(r.peak().resident()));

  private final String field;
  private final String title;
  private final String format;
  private final Function<Round, @Nullable Double> value;

  Figure(String field, String title, String format, Function<Round, @Nullable Double> value) {
    this.field = field;
    this.title = title;
    this.format = format;
    this.value = value;
  }

  private static @Nullable Double mib(@Nullable Long bytes) {
    return bytes == null ? null : bytes / (double) (1 << 20);
  }

  /** The name of the field in JSON. */
  String field() {
    return field;
  }

  /** The name and unit in a table. */
  String title() {
    return title;
  }

  /** The value of a round; null where the system does not tell. */
  @Nullable Double of(Round round) {
    return value.apply(round);
  }

  /** Whether larger values are better. */
  boolean moreIsBetter() {
    return this == THROUGHPUT;
  }

  /** A value of this figure as text. */
  String format(double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
