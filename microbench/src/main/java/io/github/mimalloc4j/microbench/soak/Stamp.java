package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes and checks the bytes by which a buffer is known.
 *
 * <p>Eight bytes follow from the identity and their place alone, by a function that can be
 * inverted: bytes in the wrong place tell whose they are. Stamps are made in an array and copied
 * from there and compared there, which costs one call of the buffer for some thousand bytes.
 *
 * <p>Not thread-safe: each worker has one.
 */
final class Stamp {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Fits into a processor's first cache, twice. */
  private static final int CHUNK_BYTES = 8192;

  /** Eight bytes tell the life, which of its buffers it is, and which of the buffer's words. */
  private static final int LIFE_BITS = 20;

  private static final int SEQUENCE_BITS = 20;
  private static final int PLACE_BITS = Long.SIZE - LIFE_BITS - SEQUENCE_BITS;

  /** Odd, so that multiplying by it can be undone: 2^64 divided by the golden ratio. */
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private static final long INVERSE =
      BigInteger.valueOf(FACTOR).modInverse(BigInteger.ONE.shiftLeft(Long.SIZE)).longValue();

  private final byte[] pattern = new byte[CHUNK_BYTES + Long.BYTES];
  private final byte[] found = new byte[CHUNK_BYTES];
  private long checkedBytes;

  /** Takes a part of a stamp, which begins at a place in the stamp and one in the pattern. */
  @FunctionalInterface
  private interface Part {
    void take(int at, int skip, int length);
  }

  /**
   * The identity of a buffer: the number of the life that allocated it, and which of that life's
   * buffers it is. The same seed gives a life the same decisions, so that an identity means the
   * same in the next run. Lives that are a million apart have the same.
   */
  static long identity(int life, int sequence) {
    return (life & (1L << LIFE_BITS) - 1) << SEQUENCE_BITS | sequence;
  }

  /** As reports write it: {@code 12/345} is what life 12 allocated as its 345th. */
  static String text(long id) {
    return (id >>> SEQUENCE_BITS) + "/" + (id & (1 << SEQUENCE_BITS) - 1);
  }

  /** Writes bytes {@code from} to {@code to} of the stamp to the same places of the buffer. */
  void write(ByteBuf buffer, long id, int from, int to) {
    make(id, from, to, (at, skip, length) -> buffer.setBytes(at, pattern, skip, length));
  }

  /** As {@link #write}, from the buffer's writer index on, which lets the buffer grow. */
  void append(ByteBuf buffer, long id, int to) {
    int from = buffer.writerIndex();
    make(id, from, to, (at, skip, length) -> buffer.writeBytes(pattern, skip, length));
  }

  /** As {@link #write}, through a view of those bytes, as many as it has. */
  void write(ByteBuffer view, long id, int from) {
    make(id, from, from + view.remaining(), (at, skip, length) -> view.put(pattern, skip, length));
  }

  void check(Holding holding) {
    check(holding, 0, holding.length());
  }

  /** Checks a part of what the holding shows: no byte may differ. */
  void check(Holding holding, int from, int to) {
    int offset = holding.offset();
    make(
        holding.id(),
        offset + from,
        offset + to,
        (at, skip, length) -> {
          holding.buffer().getBytes(at - offset, found, 0, length);
          int wrong = Arrays.mismatch(pattern, skip, skip + length, found, 0, length);
          if (wrong >= 0) {
            throw changed(holding, at - offset + wrong, pattern[skip + wrong], found[wrong]);
          }
        });
    checkedBytes += to - from;
  }

  /** The bytes compared since the last call. */
  long takeCheckedBytes() {
    long bytes = checkedBytes;
    checkedBytes = 0;
    return bytes;
  }

  private static SoakFailure changed(Holding holding, int index, byte expected, byte found) {
    String wrong = "byte %d is 0x%02X, not 0x%02X".formatted(index, found, expected);
    int wordAt = index - (holding.offset() + index) % Long.BYTES;
    if (wordAt >= 0 && wordAt + Long.BYTES <= holding.length()) {
      long word = holding.buffer().getLongLE(wordAt);
      long unpacked = (word ^ word >>> 32) * INVERSE;
      long place = (unpacked & (1L << PLACE_BITS) - 1) * Long.BYTES;
      wrong +=
          "\n  the 8 bytes from %d on are 0x%016X: as a stamp, byte %,d of buffer %s"
              .formatted(wordAt, word, place, text(unpacked >>> PLACE_BITS));
    }
    return new SoakFailure("a byte of a live buffer has changed", holding, wrong);
  }

  /** Makes bytes {@code from} to {@code to} of a stamp, part by part. */
  private void make(long id, int from, int to, Part part) {
    for (int at = from; at < to; ) {
      int length = Math.min(CHUNK_BYTES, to - at);
      int skip = at % Long.BYTES;
      int end = skip + length;
      long product = (id << PLACE_BITS | at / Long.BYTES) * FACTOR;
      for (int i = 0; i < end; i += Long.BYTES) {
        // The high half goes into the low one, which would depend on the place alone otherwise.
        LONGS.set(pattern, i, product ^ product >>> 32);
        product += FACTOR; // that of the next place
      }
      part.take(at, skip, length);
      at += length;
    }
  }
}
