package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one allocator, over all rounds.
 *
 * @param values over the rounds; null where the system does not tell
 * @param ratio of the values to mimalloc's of the same rounds, of figures of which more is better
 *     the inverse, so that above 1 mimalloc did better; null for mimalloc itself, where it was not
 *     measured, and where the system does not tell
 */
record Summary(
    Figure figure, AllocatorKind allocator, @Nullable Spread values, @Nullable Spread ratio) {

  static final AllocatorKind REFERENCE = AllocatorKind.MIMALLOC;

  enum Figure {
    THROUGHPUT("requests/s", "%.0f", r -> r.load().requests() / r.load().seconds()),

    /** Processor time of the server's process for a request. */
    CPU(
        "CPU us/request",
        "%.2f",
        r -> r.cpuSeconds() == null ? null : r.cpuSeconds() * 1e6 / r.load().requests()),

    P50("p50 us", "%.0f", r -> r.load().latency().p50()),
    P90("p90 us", "%.0f", r -> r.load().latency().p90()),
    P99("p99 us", "%.0f", r -> r.load().latency().p99()),
    P999("p99.9 us", "%.0f", r -> r.load().latency().p999()),
    MAX("max us", "%.0f", r -> r.load().latency().max()),

    /** The peak of what the allocator held. */
    USED("used MiB", "%.1f", r -> mib(r.peak().used())),

    /** The peak of what the process had in the machine's memory. */
    RESIDENT("resident MiB", "%.0f", r -> mib(r.peak().resident()));

    final String title;

    final String format;
    private final Function<Round, @Nullable Double> value;

    Figure(String title, String format, Function<Round, @Nullable Double> value) {
      this.title = title;
      this.format = format;
      this.value = value;
    }

    private static @Nullable Double mib(@Nullable Long bytes) {
      return bytes == null ? null : bytes / (double) (1 << 20);
    }

    /** The value of a round; null where the system does not tell. */
    @Nullable Double of(Round round) {
      return value.apply(round);
    }

    boolean moreIsBetter() {
      return this == THROUGHPUT;
    }
  }

  /** Figure by figure; allocators in the order of the first round. */
  static List<Summary> of(List<Round> rounds) {
    List<AllocatorKind> allocators = rounds.stream().map(Round::allocator).distinct().toList();
    return Arrays.stream(Figure.values())
        .flatMap(figure -> allocators.stream().map(allocator -> of(figure, allocator, rounds)))
        .toList();
  }

  private static Summary of(Figure figure, AllocatorKind allocator, List<Round> rounds) {
    List<Round> own = rounds.stream().filter(round -> round.allocator() == allocator).toList();
    return new Summary(
        figure,
        allocator,
        spread(own, figure::of),
        allocator == REFERENCE ? null : spread(own, round -> ratio(figure, round, rounds)));
  }

  /** To the reference's turn in the same round. */
  private static @Nullable Double ratio(Figure figure, Round round, List<Round> rounds) {
    Double value = figure.of(round);
    Double base =
        rounds.stream()
            .filter(other -> other.round() == round.round() && other.allocator() == REFERENCE)
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
