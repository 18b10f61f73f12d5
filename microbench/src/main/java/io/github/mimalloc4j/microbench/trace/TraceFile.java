package io.github.mimalloc4j.microbench.trace;

import com.google.gson.JsonParseException;
import io.github.mimalloc4j.microbench.result.Records;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of operations on buffers, about eight bytes each.
 *
 * <pre>
 * magic            8 bytes; the last is the version
 * operations       each: kind and direct in a byte; nanoseconds since the one before, lane and slot;
 *                  but for a release the size: all in groups of seven bits, the lowest first
 * summary          JSON, see TraceSummary
 * length           of the operations in bytes, 8
 * length           of the summary in bytes, 4
 * check sum        of the operations, CRC-32, 4
 * </pre>
 */
public final class TraceFile {
  private static final long MAGIC = 0x6d6d346a_74726303L; // "mm4jtrc" and the version
  private static final int TAIL = Long.BYTES + 2 * Integer.BYTES;
  private static final int DIRECT = 1 << 2;

  /** About as many as a Java array has room for. */
  private static final int MOST_OPERATION_BYTES = Integer.MAX_VALUE - 8;

  private static final int BUFFER = 1 << 16;
  private static final int GROUP_BITS = 7;
  private static final int MORE = 1 << GROUP_BITS;
  private static final TraceOperation[] OPERATIONS = TraceOperation.values();

  private TraceFile() {}

  /** Writes the operations of a trace, and then what it is about. */
  static final class Writer implements AutoCloseable, TraceVisitor {
    private final CRC32 sum = new CRC32();
    private final OutputStream file;
    private final DataOutputStream out;
    private long before;
    private long bytes;
    private long operations;

    Writer(Path file) throws IOException {
      this.file = Files.newOutputStream(file);
      new DataOutputStream(this.file).writeLong(MAGIC);
      out =
          new DataOutputStream(
              new BufferedOutputStream(new CheckedOutputStream(this.file, sum), BUFFER));
    }

    @Override
    public void operation(
        TraceOperation operation, long nanos, int lane, int slot, int size, boolean direct) {
      try {
        write(operation.ordinal() | (direct ? DIRECT : 0));
        number(nanos - before);
        number(lane);
        number(slot);
        if (operation != TraceOperation.RELEASE) {
          number(size);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      before = nanos;
      operations++;
    }

    long operations() {
      return operations;
    }

    private void number(long number) throws IOException {
      long rest = number;
      while (rest >= MORE) {
        write((int) rest & MORE - 1 | MORE);
        rest >>>= GROUP_BITS;
      }
      write((int) rest);
    }

    private void write(int oneByte) throws IOException {
      out.write(oneByte);
      bytes++;
    }

    void end(TraceSummary summary) throws IOException {
      out.flush();
      int checkSum = (int) sum.getValue();
      byte[] json = Records.JSON.toJson(summary).getBytes(StandardCharsets.UTF_8);
      out.write(json);
      out.writeLong(bytes);
      out.writeInt(json.length);
      out.writeInt(checkSum);
      out.flush();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /**
   * Whether a file begins as traces do.
   *
   * @throws IOException also if it is a trace of another version; the message says so
   */
  public static boolean isTrace(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(Long.BYTES);
      if (first.length < Long.BYTES) {
        return false;
      }
      long difference = ByteBuffer.wrap(first).getLong() ^ MAGIC;
      if (difference != 0 && difference >>> Byte.SIZE == 0) {
        throw new IOException(file + " was written by another version of the replay command");
      }
      return difference == 0;
    }
  }

  /**
   * Reads what a trace is about.
   *
   * @throws IOException if the file is none or damaged; the message says so in one line
   */
  public static TraceSummary summary(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(file + " does not exist or cannot be read");
    }
    if (!isTrace(file)) {
      throw new IOException(file + " is not a trace written by the replay command");
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      Tail tail = tail(file, in);
      byte[] json = new byte[tail.summary()];
      in.seek(Long.BYTES + tail.operations());
      in.readFully(json);
      return Records.JSON.fromJson(new String(json, StandardCharsets.UTF_8), TraceSummary.class);
    } catch (JsonParseException e) {
      throw damaged(file, e);
    }
  }

  private record Tail(long operations, int summary, int checkSum) {}

  private static Tail tail(Path file, RandomAccessFile in) throws IOException {
    long length = in.length();
    if (length < Long.BYTES + TAIL) {
      throw damaged(file, null);
    }
    in.seek(length - TAIL);
    Tail tail = new Tail(in.readLong(), in.readInt(), in.readInt());
    if (tail.operations() < 0
        || tail.summary() < 0
        || Long.BYTES + tail.operations() + tail.summary() + TAIL != length) {
      throw damaged(file, null);
    }
    return tail;
  }

  private static IOException damaged(Path file, @Nullable Exception e) {
    return new IOException(file + " is damaged or truncated", e);
  }

  /**
   * Goes through the operations.
   *
   * @throws IOException if the file is damaged
   */
  public static void visit(Path file, TraceVisitor visitor) throws IOException {
    ByteBuffer operations = operations(file);
    long nanos = 0;
    while (operations.hasRemaining()) {
      int what = operations.get();
      TraceOperation operation = OPERATIONS[what & DIRECT - 1];
      nanos += number(operations);
      int lane = (int) number(operations);
      int slot = (int) number(operations);
      int size = operation == TraceOperation.RELEASE ? 0 : (int) number(operations);
      visitor.operation(operation, nanos, lane, slot, size, (what & DIRECT) != 0);
    }
  }

  /**
   * Reads all of them, up to 2 GiB, into the Java heap, and checks that they are what was written.
   */
  private static ByteBuffer operations(Path file) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      Tail tail = tail(file, in);
      if (tail.operations() > MOST_OPERATION_BYTES) {
        throw new IOException(file + " is too large: 2 GiB of operations or more");
      }
      byte[] bytes = new byte[(int) tail.operations()];
      in.seek(Long.BYTES);
      in.readFully(bytes);
      CRC32 sum = new CRC32();
      sum.update(bytes);
      if ((int) sum.getValue() != tail.checkSum()) {
        throw damaged(file, null);
      }
      return ByteBuffer.wrap(bytes);
    }
  }

  private static long number(ByteBuffer operations) {
    long number = 0;
    byte group;
    int shift = 0;
    do {
      group = operations.get();
      number |= (long) (group & MORE - 1) << shift;
      shift += GROUP_BITS;
    } while (group < 0); // as a byte, the bit for more is the sign
    return number;
  }
}
