package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one allocator, over all rounds.
 *
 * @param figure which
 * @param allocator whose
 * @param values over the rounds; null where the system does not tell
 * @param ratio of the values to mimalloc's of the same rounds, of figures of which more is better
 *     the inverse, so that above 1 mimalloc did better; null for mimalloc itself, where it was not
 *     measured, and where the system does not tell
 */
record Summary(
    Figure figure, AllocatorKind allocator, @Nullable Spread values, @Nullable Spread ratio) {

  /** What all others are compared with. */
  static final AllocatorKind REFERENCE = AllocatorKind.MIMALLOC;

  /**
   * All figures of all allocators, figure by figure; allocators in the order of the first round.
   */
  static List<Summary> of(List<Round> rounds) {
    List<Summary> summaries = new ArrayList<>();
    List<AllocatorKind> allocators = rounds.stream().map(Round::allocator).distinct().toList();
    for (Figure figure : Figure.values()) {
      for (AllocatorKind allocator : allocators) {
        summaries.add(of(figure, allocator, rounds));
      }
    }
    return summaries;
  }

  private static Summary of(Figure figure, AllocatorKind allocator, List<Round> rounds) {
    List<Round> own = rounds.stream().filter(round -> round.allocator() == allocator).toList();
    List<Double> values = own.stream().map(figure::of).filter(Objects::nonNull).toList();
    List<Double> ratios =
        own.stream()
            .flatMap(
                round -> beside(round, rounds).map(base -> ratio(figure, round, base)).stream())
            .filter(ratio -> !ratio.isNaN() && !ratio.isInfinite())
            .toList();
    return new Summary(figure, allocator, spread(values), spread(ratios));
  }

  /** The reference's turn in the same round. */
  private static Optional<Round> beside(Round round, List<Round> rounds) {
    return rounds.stream()
        .filter(other -> other.round() == round.round() && other.allocator() == REFERENCE)
        .filter(other -> round.allocator() != REFERENCE)
        .findFirst();
  }

  /** Not a number where one of both is not known. */
  private static Double ratio(Figure figure, Round round, Round base) {
    Double value = figure.of(round);
    Double other = figure.of(base);
    if (value == null || other == null) {
      return Double.NaN;
    }
    return figure.moreIsBetter() ? other / value : value / other;
  }

  private static @Nullable Spread spread(List<Double> values) {
    return values.isEmpty() ? null : Spread.of(values);
  }
}
