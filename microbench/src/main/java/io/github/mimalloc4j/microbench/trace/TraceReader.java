package io.github.mimalloc4j.microbench.trace;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/** Reads operations as {@link TraceFile} has them. */
final class TraceReader {
  private static final TraceOperation[] OPERATIONS = TraceOperation.values();

  private final InputStream in;
  private final CRC32 sum;
  private final byte[] buffer = new byte[1 << 16];
  private long unread;
  private int position;
  private int limit;

  TraceReader(InputStream in, long bytes, CRC32 sum) {
    this.in = in;
    this.unread = bytes;
    this.sum = sum;
  }

  void visit(TraceVisitor visitor) throws IOException {
    long nanos = 0;
    while (position < limit || unread > 0) {
      int what = read();
      TraceOperation operation = OPERATIONS[what & TraceFile.DIRECT - 1];
      nanos += number();
      int lane = (int) number();
      int slot = (int) number();
      int size = operation == TraceOperation.RELEASE ? 0 : (int) number();
      visitor.operation(operation, nanos, lane, slot, size, (what & TraceFile.DIRECT) != 0);
    }
  }

  private long number() throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += TraceFile.GROUP_BITS) {
      int group = read();
      number |= (long) (group & TraceFile.MORE - 1) << shift;
      if (group < TraceFile.MORE) {
        return number;
      }
    }
    throw new EOFException("a number without an end");
  }

  private int read() throws IOException {
    if (position == limit) {
      position = 0;
      limit = unread == 0 ? -1 : in.read(buffer, 0, (int) Math.min(buffer.length, unread));
      if (limit <= 0) {
        limit = 0;
        throw new EOFException();
      }
      unread -= limit;
      sum.update(buffer, 0, limit);
    }
    return buffer[position++] & 0xff;
  }
}
