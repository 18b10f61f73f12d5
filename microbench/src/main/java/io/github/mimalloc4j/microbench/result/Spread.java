package io.github.mimalloc4j.microbench.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The little statistics that a few values allow. There is no assumption about how the values are
 * distributed, which three or five of them could not support.
 *
 * @param middle the median
 */
public record Spread(double middle, double low, double high) {
  public static Spread of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    int last = sorted.length - 1;
    // Twice the same, or the two in the middle.
    double middle = (sorted[last / 2] + sorted[sorted.length / 2]) / 2;
    return new Spread(middle, sorted[0], sorted[last]);
  }

  public static Spread of(double value) {
    return new Spread(value, value, value);
  }

  /** The middle one, or the mean of the two in the middle. */
  public static double median(Collection<Double> values) {
    return of(values).middle();
  }

  /**
   * The ratio of measurements that were taken side by side: the first to the first and so on, so
   * that what slowed both down for a while cancels out.
   */
  public static Spread ofRounds(List<Double> times, List<Double> reference) {
    return of(
        IntStream.range(0, times.size())
            .mapToObj(round -> times.get(round) / reference.get(round))
            .toList());
  }

  /**
   * The ratio of measurements that have nothing to do with each other: each to each. The spread is
   * wider than that of pairs taken side by side.
   */
  public static Spread ofAllPairs(List<Double> times, List<Double> reference) {
    List<Double> ratios = new ArrayList<>();
    times.forEach(time -> reference.forEach(other -> ratios.add(time / other)));
    return of(ratios);
  }

  public String text() {
    return text("%.2f");
  }

  public String text(String format) {
    return String.format(Locale.ROOT, format, middle);
  }

  public String range() {
    return range("%.2f");
  }

  public String range(String format) {
    return String.format(Locale.ROOT, format + ".." + format, low, high);
  }

  /** The middle one with the range behind it. */
  public String textWithRange(String format) {
    return text(format) + " (" + range(format) + ")";
  }

  public double[] at(double x) {
    return new double[] {x, middle, low, high};
  }
}
