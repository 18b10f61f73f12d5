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
    long collections) {
  /** An operation of a minute would be an error in this program. */
  private static final long MOST_NANOS = 60_000_000_000L;

  /** Values are kept to a thousandth of themselves. */
  private static final int DIGITS = 3;

  /** An empty histogram, of fixed size: recording allocates nothing. */
  static Histogram histogram() {
    return new Histogram(1, MOST_NANOS, DIGITS);
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
