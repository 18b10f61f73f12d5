package io.github.mimalloc4j.microbench.latency;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What one JVM found out.
 *
 * @param allocate nanoseconds of each allocation
 * @param release nanoseconds of each release
 * @param clock the clock of that JVM
 * @param collections how many garbage collections fell into the measurement
 */
record RoundResult(Histogram allocate, Histogram release, Clock clock, long collections) {
  /** An operation of a minute would be an error in this program. */
  private static final long MOST_NANOS = 60_000_000_000L;

  /** Values are kept to a thousandth of themselves. */
  private static final int DIGITS = 3;

  /** An empty histogram, of fixed size: recording allocates nothing. */
  static Histogram histogram() {
    return new Histogram(1, MOST_NANOS, DIGITS);
  }

  /** Writes all of it. */
  void write(Path file) throws IOException {
    Files.write(
        file,
        List.of(
            encode(allocate),
            encode(release),
            Double.toString(clock.cost()),
            Long.toString(clock.granularity()),
            Long.toString(collections)));
  }

  /** Reads what {@link #write} wrote. */
  static RoundResult read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return new RoundResult(
        decode(lines.get(0)),
        decode(lines.get(1)),
        new Clock(Double.parseDouble(lines.get(2)), Long.parseLong(lines.get(3))),
        Long.parseLong(lines.get(4)));
  }

  private static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  private static Histogram decode(String line) throws IOException {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(line)), MOST_NANOS);
    } catch (DataFormatException e) {
      throw new IOException("not a histogram: " + e.getMessage(), e);
    }
  }
}
