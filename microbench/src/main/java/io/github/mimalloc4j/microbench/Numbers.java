package io.github.mimalloc4j.microbench;

import java.util.Arrays;
import java.util.Collection;

/** The little statistics that a few values allow. */
public final class Numbers {
  private Numbers() {}

  /** The middle one, or the mean of the two in the middle. */
  public static double median(Collection<Double> values) {
    double[] sorted = sorted(values);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** The least. */
  public static double min(Collection<Double> values) {
    return sorted(values)[0];
  }

  /** The greatest. */
  public static double max(Collection<Double> values) {
    return sorted(values)[values.size() - 1];
  }

  private static double[] sorted(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
