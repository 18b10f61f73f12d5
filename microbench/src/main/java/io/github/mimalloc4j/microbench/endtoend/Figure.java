package io.github.mimalloc4j.microbench.endtoend;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is reported of each round. */
enum Figure {
  /** Requests answered in a second. */
  THROUGHPUT("requests/s", "%.0f", r -> r.load().requests() / r.load().seconds()),

  /** Processor time of the server's process for a request. */
  CPU(
      "CPU us/request",
      "%.2f",
      r -> r.cpuSeconds() == null ? null : r.cpuSeconds() * 1e6 / r.load().requests()),

  /** Latencies. */
  P50("p50 us", "%.0f", r -> r.load().latency().p50()),
  P90("p90 us", "%.0f", r -> r.load().latency().p90()),
  P99("p99 us", "%.0f", r -> r.load().latency().p99()),
  P999("p99.9 us", "%.0f", r -> r.load().latency().p999()),
  MAX("max us", "%.0f", r -> r.load().latency().max()),

  /** The peak of what the allocator held. */
  USED("used MiB", "%.1f", r -> mib(r.peak().used())),

  /** The peak of what the process had in the machine's memory. */
  RESIDENT("resident MiB", "%.0f", r -> mib(r.peak().resident()));

  private final String title;
  private final String format;
  private final Function<Round, @Nullable Double> value;

  Figure(String title, String format, Function<Round, @Nullable Double> value) {
    this.title = title;
    this.format = format;
    this.value = value;
  }

  private static @Nullable Double mib(@Nullable Long bytes) {
    return bytes == null ? null : bytes / (double) (1 << 20);
  }

  /** The name and unit. */
  String title() {
    return title;
  }

  /** How to print a value. */
  String format() {
    return format;
  }

  /** The value of a round; null where the system does not tell. */
  @Nullable Double of(Round round) {
    return value.apply(round);
  }

  /** Whether larger values are better. */
  boolean moreIsBetter() {
    return this == THROUGHPUT;
  }
}
