package io.github.mimalloc4j.microbench;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Buffer sizes with weights, from a data file.
 *
 * <p>A line is {@code size:weight}, bytes and requests per mille; blank lines and lines that begin
 * with {@code #} are left out. Sizes of a weight below {@value #SPREAD_BELOW} are drawn evenly from
 * {@value #SPREAD_PERCENT} % either way, so that neighbouring size classes are exercised; the
 * others are exact.
 */
public final class SizePattern {
  private static final String WEBSOCKET_PROXY = "websocket-proxy.sizes";

  private static final double SPREAD_BELOW = 8;
  private static final int SPREAD_PERCENT = 6;

  /** Sizes are kept as {@code char}s by the benchmarks; the spread must fit, too. */
  private static final int MAX_SIZE = 60_000;

  private static final double TOTAL_WEIGHT = 1000;

  /** The published weights are rounded to a tenth, so that their sum is a little off. */
  private static final double TOTAL_TOLERANCE = 1;

  private final int[] sizes;
  private final double[] weights;

  /** {@code cumulative[i]} is the sum of the weights up to and including {@code i}. */
  private final double[] cumulative;

  private SizePattern(List<Integer> sizes, List<Double> weights) {
    this.sizes = sizes.stream().mapToInt(Integer::intValue).toArray();
    this.weights = weights.stream().mapToDouble(Double::doubleValue).toArray();
    this.cumulative = this.weights.clone();
    Arrays.parallelPrefix(cumulative, Double::sum);
  }

  /** The sizes of a WebSocket proxy; the data file names their source. */
  public static SizePattern webSocketProxy() {
    try (@Nullable InputStream in = SizePattern.class.getResourceAsStream(WEBSOCKET_PROXY)) {
      if (in == null) {
        throw new FileNotFoundException("resource " + WEBSOCKET_PROXY + " is missing");
      }
      BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      return parse(WEBSOCKET_PROXY, reader.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a pattern.
   *
   * @param name what errors call the data
   * @param lines the lines of the data file
   * @throws IllegalArgumentException if the data makes no sense; the message names the line
   */
  public static SizePattern parse(String name, List<String> lines) {
    List<Integer> sizes = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String where = name + ":" + (i + 1) + ": ";
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException(where + "not 'size:weight': " + line);
      }
      int size = parseSize(where, line.substring(0, colon));
      if (sizes.contains(size)) {
        throw new IllegalArgumentException(where + "size " + size + " is there twice");
      }
      sizes.add(size);
      weights.add(parseWeight(where, line.substring(colon + 1)));
    }
    double total = weights.stream().mapToDouble(Double::doubleValue).sum();
    if (Math.abs(total - TOTAL_WEIGHT) > TOTAL_TOLERANCE) {
      throw new IllegalArgumentException(
          name + ": the weights add up to " + total + " instead of " + TOTAL_WEIGHT);
    }
    return new SizePattern(sizes, weights);
  }

  private static int parseSize(String where, String text) {
    try {
      int size = Integer.parseInt(text.strip());
      if (size > 0 && size <= MAX_SIZE) {
        return size;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(where + "not a size from 1 to " + MAX_SIZE + ": " + text);
  }

  private static double parseWeight(String where, String text) {
    try {
      double weight = Double.parseDouble(text.strip());
      if (weight > 0 && weight <= TOTAL_WEIGHT) {
        return weight;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(where + "not a weight above 0 per mille: " + text);
  }

  /** The sum of the weights; about 1,000. */
  public double totalWeight() {
    return cumulative[cumulative.length - 1];
  }

  /** The mean size in bytes. */
  public double mean() {
    double sum = 0;
    for (int i = 0; i < sizes.length; i++) {
      sum += sizes[i] * weights[i];
    }
    return sum / totalWeight();
  }

  /**
   * Draws sizes. The same count and seed give the same sizes on every JDK.
   *
   * @param count how many
   * @param seed of the random numbers
   */
  public int[] draw(int count, long seed) {
    Random random = new Random(seed);
    int[] drawn = new int[count];
    for (int i = 0; i < count; i++) {
      drawn[i] = drawOne(random);
    }
    return drawn;
  }

  private int drawOne(Random random) {
    int found = Arrays.binarySearch(cumulative, random.nextDouble() * totalWeight());
    // The random number lies below the last sum, so the insertion point is always an index.
    int index = found >= 0 ? found + 1 : -(found + 1);
    int size = sizes[index];
    if (weights[index] >= SPREAD_BELOW) {
      return size;
    }
    int reach = size * SPREAD_PERCENT / 100;
    return size - reach + random.nextInt(2 * reach + 1);
  }
}
