package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.Numbers;
import io.github.mimalloc4j.microbench.Ratio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    Figure figure, AllocatorKind allocator, @Nullable Spread values, @Nullable Ratio ratio) {

  /** What all others are compared with. */
  static final AllocatorKind REFERENCE = AllocatorKind.MIMALLOC;

  /** Median, least and most of some numbers. */
  record Spread(double median, double min, double max) {
    static @Nullable Spread of(List<Double> numbers) {
      return numbers.isEmpty()
          ? null
          : new Spread(Numbers.median(numbers), Numbers.min(numbers), Numbers.max(numbers));
    }
  }

  /**
   * All figures of all allocators, figure by figure; allocators in the order of the first round.
   */
  static List<Summary> of(List<Round> rounds) {
    Map<AllocatorKind, Map<Integer, Round>> byAllocator = new LinkedHashMap<>();
    for (Round round : rounds) {
      byAllocator
          .computeIfAbsent(round.allocator(), allocator -> new TreeMap<>())
          .put(round.round(), round);
    }
    List<Summary> summaries = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      byAllocator.forEach(
          (allocator, own) ->
              summaries.add(
                  new Summary(
                      figure,
                      allocator,
                      Spread.of(values(figure, own)),
                      allocator == REFERENCE
                          ? null
                          : ratio(figure, own, byAllocator.getOrDefault(REFERENCE, Map.of())))));
    }
    return summaries;
  }

  private static List<Double> values(Figure figure, Map<Integer, Round> rounds) {
    List<Double> values = new ArrayList<>();
    for (Round round : rounds.values()) {
      Double value = figure.of(round);
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  private static @Nullable Ratio ratio(
      Figure figure, Map<Integer, Round> rounds, Map<Integer, Round> reference) {
    List<Double> divided = new ArrayList<>();
    List<Double> divisors = new ArrayList<>();
    rounds.forEach(
        (number, round) -> {
          Round other = reference.get(number);
          Double value = figure.of(round);
          Double base = other == null ? null : figure.of(other);
          if (value != null && base != null) {
            double divisor = figure.moreIsBetter() ? value : base;
            if (divisor != 0) {
              divided.add(figure.moreIsBetter() ? base : value);
              divisors.add(divisor);
            }
          }
        });
    return divided.isEmpty() ? null : Ratio.ofRounds(divided, divisors);
  }
}
