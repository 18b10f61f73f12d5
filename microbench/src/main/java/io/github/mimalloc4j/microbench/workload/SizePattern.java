package io.github.mimalloc4j.microbench.workload;

import io.github.mimalloc4j.microbench.trace.TraceFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Buffer sizes with weights, from a data file.
 *
 * <p>A line is {@code size:weight} or {@code distribution:weight}, bytes and requests per mille, as
 * {@link SizeDistribution} reads them; blank lines and lines that begin with {@code #} are left
 * out. Single sizes of a weight below {@value #SPREAD_BELOW} are drawn evenly from {@value
 * #SPREAD_PERCENT} % either way, so that neighbouring size classes are exercised; the others are
 * exact.
 */
public final class SizePattern {
  /** The patterns that come with this project. Each data file names its source. */
  static final List<String> NAMES =
      List.of("WEBSOCKET_PROXY", "HTTP_SERVICE", "RPC", "BROKER", "MIXED", "PARETO");

  private static final double SPREAD_BELOW = 8;
  private static final int SPREAD_PERCENT = 6;

  /** Larger than what any allocator shares among buffers. */
  private static final int MAX_SIZE = 16 << 20;

  private static final double TOTAL_WEIGHT = 1000;

  /** What stands before the name of a file that the command replay has written. */
  private static final String TRACE = "trace:";

  /** The published weights are rounded to a tenth, so that their sum is a little off. */
  private static final double TOTAL_TOLERANCE = 1;

  /** By the sum of the weights up to and including theirs. */
  private final NavigableMap<Double, SizeDistribution> sizes = new TreeMap<>();

  private double totalWeight;
  private double weightedMeans;

  private SizePattern() {}

  /**
   * Finds sizes by what a user typed: the name of a pattern, such as {@code WEBSOCKET_PROXY}, or a
   * single size or distribution, or {@code trace:FILE}, the sizes that a program has asked for.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static SizePattern of(String text) {
    if (text.strip().startsWith(TRACE)) {
      return ofTrace(Path.of(text.strip().substring(TRACE.length())));
    }
    String name = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
    if (NAMES.contains(name)) {
      return load(name.toLowerCase(Locale.ROOT).replace('_', '-') + ".sizes");
    }
    try {
      return new SizePattern().add(parseSizes("", text, TOTAL_WEIGHT), TOTAL_WEIGHT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          ("sizes must be one of %s, or a number of bytes from 1 to %d,"
                  + " or a distribution such as 'uniform 16 1024', or trace:FILE, not '%s'")
              .formatted(NAMES, MAX_SIZE, text),
          e);
    }
  }

  private static SizePattern ofTrace(Path file) {
    try {
      return new SizePattern().add(recorded(file), TOTAL_WEIGHT);
    } catch (IOException e) {
      throw new IllegalArgumentException("sizes: " + e.getMessage(), e);
    }
  }

  /** Empty buffers are left out, and those that are larger than any pattern has. */
  private static SizeDistribution recorded(Path file) throws IOException {
    NavigableMap<Integer, Long> counts = new TreeMap<>(TraceFile.summary(file).sizes());
    NavigableMap<Integer, Long> drawn = counts.subMap(1, true, MAX_SIZE, true);
    if (drawn.isEmpty()) {
      throw new IOException(file + " has no buffers from 1 to " + MAX_SIZE + " bytes");
    }
    return SizeDistribution.counted(drawn);
  }

  public static SizePattern load(String file) {
    try (@Nullable InputStream in = SizePattern.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("resource " + file + " is missing");
      }
      return parse(file, new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a data file's lines.
   *
   * @throws IllegalArgumentException if the data makes no sense; the message names the line
   */
  public static SizePattern parse(String name, List<String> lines) {
    SizePattern pattern = new SizePattern();
    Set<String> seen = new HashSet<>();
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
      String size = line.substring(0, colon).strip();
      double weight = parseWeight(where, line.substring(colon + 1));
      pattern.add(parseSizes(where, size, weight), weight);
      if (!seen.add(size)) {
        throw new IllegalArgumentException(where + "size " + size + " is there twice");
      }
    }
    if (Math.abs(pattern.totalWeight - TOTAL_WEIGHT) > TOTAL_TOLERANCE) {
      throw new IllegalArgumentException(
          name + ": the weights add up to " + pattern.totalWeight + " instead of " + TOTAL_WEIGHT);
    }
    return pattern;
  }

  private SizePattern add(SizeDistribution distribution, double weight) {
    totalWeight += weight;
    weightedMeans += weight * distribution.mean();
    sizes.put(totalWeight, distribution);
    return this;
  }

  private static SizeDistribution parseSizes(String where, String text, double weight) {
    SizeDistribution read;
    try {
      read = SizeDistribution.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + e.getMessage(), e);
    }
    if (read.max() > MAX_SIZE) {
      throw new IllegalArgumentException(where + "more than " + MAX_SIZE + " bytes: " + text);
    }
    if (read.min() == read.max() && weight < SPREAD_BELOW) {
      int reach = read.max() * SPREAD_PERCENT / 100;
      return SizeDistribution.uniform(read.max() - reach, read.max() + reach);
    }
    return read;
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

  public double mean() {
    return weightedMeans / totalWeight;
  }

  /** Draws sizes. The same count and seed give the same sizes on every JDK. */
  public int[] draw(int count, long seed) {
    Random random = new Random(seed);
    // The random number lies below the last sum, so there always is a higher one.
    return IntStream.range(0, count)
        .map(i -> sizes.higherEntry(random.nextDouble() * totalWeight).getValue().draw(random))
        .toArray();
  }
}
