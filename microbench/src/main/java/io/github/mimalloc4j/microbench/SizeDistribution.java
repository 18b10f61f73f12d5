package io.github.mimalloc4j.microbench;

import java.util.List;
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
public sealed interface SizeDistribution {
  /** Draws a number. */
  int draw(RandomGenerator random);

  /** The mean of what is drawn. */
  double mean();

  /** The largest number that may be drawn. */
  int max();

  /**
   * Reads a distribution.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  static SizeDistribution parse(String text) {
    List<String> words = List.of(text.strip().split("\\s+"));
    try {
      return switch (words.get(0) + "/" + (words.size() - 1)) {
        case "uniform/2" -> new Uniform(size(words, 1), size(words, 2));
        case "loguniform/2" -> new LogUniform(size(words, 1), size(words, 2));
        case "powers/2" -> new Powers(size(words, 1), size(words, 2));
        case "lognormal/4" ->
            new LogNormal(size(words, 1), number(words, 2), size(words, 3), size(words, 4));
        case "pareto/3" -> new Pareto(size(words, 1), number(words, 2), size(words, 3));
        default -> new Exactly(Integer.parseInt(text.strip()));
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

  /** Always the same. */
  record Exactly(int max) implements SizeDistribution {
    public Exactly {
      require(max > 0);
    }

    @Override
    public int draw(RandomGenerator random) {
      return max;
    }

    @Override
    public double mean() {
      return max;
    }
  }

  /** All equally likely. */
  record Uniform(int min, int max) implements SizeDistribution {
    public Uniform {
      require(0 < min && min <= max && max < Integer.MAX_VALUE);
    }

    @Override
    public int draw(RandomGenerator random) {
      return min + random.nextInt(max - min + 1);
    }

    @Override
    public double mean() {
      return (min + (double) max) / 2;
    }
  }

  /** All orders of magnitude equally likely. */
  record LogUniform(int min, int max) implements SizeDistribution {
    public LogUniform {
      require(0 < min && min < max);
    }

    @Override
    public int draw(RandomGenerator random) {
      double drawn = min * StrictMath.pow(max / (double) min, random.nextDouble());
      return Math.min(max, (int) drawn);
    }

    @Override
    public double mean() {
      return (max - min) / StrictMath.log(max / (double) min);
    }
  }

  /** The powers of two, all equally likely. */
  record Powers(int min, int max) implements SizeDistribution {
    public Powers {
      require(Integer.bitCount(min) == 1 && Integer.bitCount(max) == 1 && 0 < min && min <= max);
    }

    private int count() {
      return Integer.numberOfTrailingZeros(max / min) + 1;
    }

    @Override
    public int draw(RandomGenerator random) {
      return min << random.nextInt(count());
    }

    @Override
    public double mean() {
      return IntStream.range(0, count()).mapToDouble(i -> min << i).average().orElseThrow();
    }
  }

  /** Log-normal around a median; what lies outside of the bounds is drawn again. */
  record LogNormal(int median, double sigma, int min, int max) implements SizeDistribution {
    public LogNormal {
      require(0 < min && min <= median && median <= max && sigma > 0);
    }

    @Override
    public int draw(RandomGenerator random) {
      double drawn;
      do {
        drawn = median * StrictMath.exp(sigma * random.nextGaussian());
      } while (drawn < min || drawn > max);
      return (int) drawn;
    }

    /** That of the distribution without its bounds, which are meant to be far out. */
    @Override
    public double mean() {
      return median * StrictMath.exp(sigma * sigma / 2);
    }
  }

  /** Pareto from the least size on, cut at the largest: a few large ones make up most bytes. */
  record Pareto(int min, double alpha, int max) implements SizeDistribution {
    public Pareto {
      require(0 < min && min < max && alpha > 1);
    }

    /** The share of the distribution that lies below the cut. */
    private double kept() {
      return 1 - StrictMath.pow(min / (double) max, alpha);
    }

    @Override
    public int draw(RandomGenerator random) {
      double above = 1 - random.nextDouble() * kept();
      return Math.min(max, (int) (min / StrictMath.pow(above, 1 / alpha)));
    }

    @Override
    public double mean() {
      double cut = 1 - StrictMath.pow(min / (double) max, alpha - 1);
      return min * alpha / (alpha - 1) * cut / kept();
    }
  }
}
