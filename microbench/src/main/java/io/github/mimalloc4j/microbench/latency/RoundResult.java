package io.github.mimalloc4j.microbench.latency;

import com.google.gson.TypeAdapter;
import com.google.gson.annotations.JsonAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** What one JVM found out: nanoseconds of each operation, and garbage collections meanwhile. */
record RoundResult(
    @JsonAdapter(Encoded.class) Histogram allocate,
    @JsonAdapter(Encoded.class) Histogram release,
    Clock clock,
    long collections) {
  /** An operation of a minute would be an error in this program. */
  private static final long MOST_NANOS = 60_000_000_000L;

  /** Values are kept to a thousandth of themselves. */
  private static final int DIGITS = 3;

  /** An empty histogram, of fixed size: recording allocates nothing. */
  static Histogram histogram() {
    return new Histogram(1, MOST_NANOS, DIGITS);
  }

  /**
   * What can be said of the clock.
   *
   * @param cost nanoseconds from one reading to the next, in the quietest of many short runs
   * @param granularity the smallest step between two different readings, in nanoseconds
   */
  record Clock(double cost, long granularity) {
    private static final int RUNS = 200;
    private static final int READINGS = 5_000;

    /** Reads the clock of this JVM about a million times. */
    static Clock measure() {
      double cost = Double.MAX_VALUE;
      long granularity = Long.MAX_VALUE;
      // What interrupts this thread, and code that is not yet compiled, spoils some of the runs.
      for (int run = 0; run < RUNS; run++) {
        Clock found = readings();
        cost = Math.min(cost, found.cost);
        granularity = Math.min(granularity, found.granularity);
      }
      return new Clock(cost, granularity);
    }

    private static Clock readings() {
      long smallest = Long.MAX_VALUE;
      long start = System.nanoTime();
      long last = start;
      for (int i = 0; i < READINGS; i++) {
        long now = System.nanoTime();
        long step = now - last;
        if (step > 0 && step < smallest) {
          smallest = step;
        }
        last = now;
      }
      return new Clock((double) (last - start) / READINGS, smallest);
    }
  }

  /** A histogram in JSON: its own compressed form, in Base64. */
  private static final class Encoded extends TypeAdapter<Histogram> {
    @Override
    public void write(JsonWriter out, Histogram histogram) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      int length = histogram.encodeIntoCompressedByteBuffer(buffer);
      out.value(Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
    }

    @Override
    public Histogram read(JsonReader in) throws IOException {
      try {
        return Histogram.decodeFromCompressedByteBuffer(
            ByteBuffer.wrap(Base64.getDecoder().decode(in.nextString())), MOST_NANOS);
      } catch (DataFormatException e) {
        throw new IOException("not a histogram: " + e.getMessage(), e);
      }
    }
  }
}
