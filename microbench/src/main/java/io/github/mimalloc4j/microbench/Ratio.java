package io.github.mimalloc4j.microbench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * How many times the reference's time another allocator took, with the spread: the median, the
 * smallest and the largest ratio of pairs of measurements. There is no assumption about how the
 * measurements are distributed, which three or five of them could not support.
 *
 * @param middle the median; above 1 the reference is faster
 * @param low the smallest
 * @param high the largest
 */
public record Ratio(double middle, double low, double high) {

  /**
   * Compares measurements that were taken side by side: the first with the first and so on, so that
   * what slowed both down for a while cancels out.
   *
   * @param times of the other allocator
   * @param reference times of the reference, as many
   */
  public static Ratio ofRounds(List<Double> times, List<Double> reference) {
    return of(
        IntStream.range(0, times.size())
            .mapToObj(round -> times.get(round) / reference.get(round))
            .toList());
  }

  /**
   * Compares measurements that have nothing to do with each other: each with each. The spread is
   * wider than that of pairs taken side by side.
   *
   * @param times of the other allocator
   * @param reference times of the reference
   */
  public static Ratio ofAllPairs(List<Double> times, List<Double> reference) {
    List<Double> ratios = new ArrayList<>();
    for (double time : times) {
      for (double other : reference) {
        ratios.add(time / other);
      }
    }
    return of(ratios);
  }

  private static Ratio of(List<Double> ratios) {
    return new Ratio(Numbers.median(ratios), Numbers.min(ratios), Numbers.max(ratios));
  }

  /** Whether the other allocator did better. */
  public boolean isAgainstReference() {
    return middle < 1;
  }

  /** The median for a table. */
  public String text() {
    return String.format(Locale.ROOT, "%.2f", middle);
  }

  /** The smallest and the largest for a table. */
  public String spread() {
    return String.format(Locale.ROOT, "%.2f..%.2f", low, high);
  }
}
