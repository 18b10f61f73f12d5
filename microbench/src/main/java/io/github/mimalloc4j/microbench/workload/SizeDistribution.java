package io.github.mimalloc4j.microbench.workload;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Random numbers of one shape, sizes in bytes as a rule. Written as words: {@code 1024}, {@code
 * uniform 200 400}, {@code loguniform 16384 1048576}, {@code powers 2048 65536}, {@code lognormal
 * 700 0.6 1 65536} (median, σ, least, largest), {@code pareto 1024 1.2 4194304} (least, α,
 * largest).
 *
 * <p>Draws use {@link StrictMath} alone, so that a seed gives the same numbers on every JDK.
 */
public record SizeDistribution(
    ToIntFunction<RandomGenerator> drawer, double mean, int min, int max) {

  public int draw(RandomGenerator random) {
    return drawer.applyAsInt(random);
  }

  /**
   * Reads a distribution.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  public static SizeDistribution parse(String text) {
    List<String> words = List.of(text.strip().split("\\s+"));
    try {
      return switch (words.get(0) + "/" + (words.size() - 1)) {
        case "uniform/2" -> uniform(size(words, 1), size(words, 2));
        case "loguniform/2" -> logUniform(size(words, 1), size(words, 2));
        case "powers/2" -> powers(size(words, 1), size(words, 2));
        case "lognormal/4" ->
            logNormal(size(words, 1), number(words, 2), size(words, 3), size(words, 4));
        case "pareto/3" -> pareto(size(words, 1), number(words, 2), size(words, 3));
        default -> exactly(Integer.parseInt(text.strip()));
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a size or a distribution: " + text.strip(), e);
    }
  }

  private static int size(List<String> words, int index) {
    return Integer.parseInt(words.get(index));
  }

  private static double number(List<String> words, int index) {
    return Double.parseDouble(words.get(index));
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new IllegalArgumentException();
    }
  }

  private static SizeDistribution exactly(int size) {
    require(size > 0);
    return new SizeDistribution(random -> size, size, size, size);
  }

  /** Each size as often, on average, as it was counted. */
  static SizeDistribution counted(NavigableMap<Integer, Long> counts) {
    int[] sizes = counts.keySet().stream().mapToInt(Integer::intValue).toArray();
    long[] upTo = new long[sizes.length];
    long total = 0;
    double sum = 0;
    for (int i = 0; i < sizes.length; i++) {
      long count = counts.get(sizes[i]);
      require(sizes[i] > 0 && count > 0);
      total += count;
      upTo[i] = total;
      sum += (double) sizes[i] * count;
    }
    long all = total;
    return new SizeDistribution(
        random -> {
          int found = Arrays.binarySearch(upTo, (long) (random.nextDouble() * all) + 1);
          return sizes[found < 0 ? -found - 1 : found];
        },
        sum / all,
        sizes[0],
        sizes[sizes.length - 1]);
  }

  static SizeDistribution uniform(int min, int max) {
    require(0 < min && min <= max && max < Integer.MAX_VALUE);
    return new SizeDistribution(
        random -> min + random.nextInt(max - min + 1), (min + (double) max) / 2, min, max);
  }

  /** All orders of magnitude equally likely. */
  private static SizeDistribution logUniform(int min, int max) {
    require(0 < min && min < max);
    double ratio = max / (double) min;
    return new SizeDistribution(
        random -> Math.min(max, (int) (min * StrictMath.pow(ratio, random.nextDouble()))),
        (max - min) / StrictMath.log(ratio),
        min,
        max);
  }

  private static SizeDistribution powers(int min, int max) {
    require(Integer.bitCount(min) == 1 && Integer.bitCount(max) == 1 && 0 < min && min <= max);
    int count = Integer.numberOfTrailingZeros(max / min) + 1;
    double mean = IntStream.range(0, count).mapToDouble(i -> min << i).average().orElseThrow();
    return new SizeDistribution(random -> min << random.nextInt(count), mean, min, max);
  }

  /**
   * Log-normal around a median; what lies outside of the bounds is drawn again. The mean is that
   * without the bounds, which are meant to be far out.
   */
  private static SizeDistribution logNormal(int median, double sigma, int min, int max) {
    require(0 < min && min <= median && median <= max && sigma > 0);
    return new SizeDistribution(
        random -> {
          double drawn;
          do {
            drawn = median * StrictMath.exp(sigma * random.nextGaussian());
          } while (drawn < min || drawn > max);
          return (int) drawn;
        },
        median * StrictMath.exp(sigma * sigma / 2),
        min,
        max);
  }

  /** Pareto from the least size on, cut at the largest: a few large ones make up most bytes. */
  private static SizeDistribution pareto(int min, double alpha, int max) {
    require(0 < min && min < max && alpha > 1);
    double ratio = min / (double) max;
    double kept = 1 - StrictMath.pow(ratio, alpha); // the share that lies below the cut
    double mean = min * alpha / (alpha - 1) * (1 - StrictMath.pow(ratio, alpha - 1)) / kept;
    return new SizeDistribution(
        random -> {
          double above = 1 - random.nextDouble() * kept;
          return Math.min(max, (int) (min / StrictMath.pow(above, 1 / alpha)));
        },
        mean,
        min,
        max);
  }
}
