package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.LoadResult.Latency;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Percentiles;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one allocator under one workload, over all rounds.
 *
 * @param values over the rounds; null where the system or the allocator does not tell
 * @param ratio of the values to mimalloc's of the same rounds, of figures of which more is better
 *     the inverse, so that above 1 mimalloc did better; null for mimalloc itself, where it was not
 *     measured, and where the system does not tell
 */
record Summary(
    String workload,
    Figure figure,
    String allocator,
    @Nullable Spread values,
    @Nullable Spread ratio) {

  enum Figure {
    /** Processor time of the server's process for a request, in the closed loop; no compilers'. */
    CPU("CPU us/request", "%.2f", r -> r.closed().cpuOfRequest()),

    /** The same at the fixed rate, where the server is idle at times. */
    CPU_FIXED("CPU us/request, fixed rate", "%.2f", r -> r.fixed().cpuOfRequest()),

    THROUGHPUT("requests/s", "%.0f", r -> r.closed().rate()),

    /** Java objects. */
    GARBAGE("garbage B/request", "%.0f", r -> r.closed().garbageOfRequest()),

    /** The peak of what the allocator held. */
    USED("used MiB", "%.1f", r -> mib(r.peak().used())),

    /** The peak of what the process had in the machine's memory beside its Java heap. */
    RESIDENT("resident MiB", "%.0f", r -> mib(r.peak().resident())),

    P50("p50 us", 50, Latency::p50),
    P90("p90 us", 90, Latency::p90),
    P99("p99 us", 99, Latency::p99),
    P999("p99.9 us", 99.9, Latency::p999),
    P9999("p99.99 us", 99.99, Latency::p9999),
    MAX("max us", "%.0f", r -> r.timing().latency().max());

    final String title;

    final String format;
    private final Function<Round, @Nullable Double> value;

    Figure(String title, String format, Function<Round, @Nullable Double> value) {
      this.title = title;
      this.format = format;
      this.value = value;
    }

    /** A percentile of the latency at the fixed rate. */
    Figure(String title, double percent, ToDoubleFunction<Latency> latency) {
      this(
          title,
          "%.0f",
          r ->
              Percentiles.has(r.fixed().requests(), percent)
                  ? Double.valueOf(latency.applyAsDouble(r.timing().latency()))
                  : null);
    }

    private static @Nullable Double mib(@Nullable Long bytes) {
      return bytes == null ? null : bytes / (double) (1 << 20);
    }

    /** The value of a round; null where nobody can tell. */
    @Nullable Double of(Round round) {
      return value.apply(round);
    }

    boolean moreIsBetter() {
      return this == THROUGHPUT;
    }
  }

  /** By workloads, then figure by figure; allocators in the order of the first round. */
  static List<Summary> of(List<Round> rounds) {
    return rounds.stream()
        .map(Round::workload)
        .distinct()
        .flatMap(
            workload ->
                ofOne(rounds.stream().filter(r -> r.workload().equals(workload)).toList()).stream())
        .toList();
  }

  private static List<Summary> ofOne(List<Round> rounds) {
    List<String> allocators = rounds.stream().map(Round::allocator).distinct().toList();
    return Arrays.stream(Figure.values())
        .flatMap(figure -> allocators.stream().map(allocator -> of(figure, allocator, rounds)))
        .toList();
  }

  private static Summary of(Figure figure, String allocator, List<Round> rounds) {
    List<Round> own = rounds.stream().filter(round -> round.allocator().equals(allocator)).toList();
    return new Summary(
        own.get(0).workload(),
        figure,
        allocator,
        spread(own, figure::of),
        allocator.equals(Against.REFERENCE)
            ? null
            : spread(own, round -> ratio(figure, round, rounds)));
  }

  /** To the reference's in the same round. */
  private static @Nullable Double ratio(Figure figure, Round round, List<Round> rounds) {
    Double value = figure.of(round);
    Double base =
        rounds.stream()
            .filter(
                each -> each.round() == round.round() && each.allocator().equals(Against.REFERENCE))
            .findFirst()
            .map(figure::of)
            .orElse(null);
    if (value == null || base == null) {
      return null;
    }
    double ratio = figure.moreIsBetter() ? base / value : value / base;
    return Double.isFinite(ratio) ? ratio : null;
  }

  private static @Nullable Spread spread(List<Round> rounds, Function<Round, @Nullable Double> of) {
    List<Double> values = rounds.stream().map(of).filter(Objects::nonNull).toList();
    return values.isEmpty() ? null : Spread.of(values);
  }
}
