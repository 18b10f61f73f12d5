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

  private static final int PLACE_BITS = Long.SIZE - Identity.BITS;

  /** Odd, so that multiplying by it can be undone: 2^64 divided by the golden ratio. */
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private static final long INVERSE =
      BigInteger.valueOf(FACTOR).modInverse(BigInteger.ONE.shiftLeft(Long.SIZE)).longValue();

  private final byte[] pattern = new byte[CHUNK_BYTES + Long.BYTES];
  private final byte[] found = new byte[CHUNK_BYTES];
  private long checkedBytes;

  /** Writes bytes {@code from} to {@code to} of the stamp to the same places of the buffer. */
  void write(ByteBuf buffer, long id, int from, int to) {
    for (int at = from; at < to; ) {
      int length = Math.min(CHUNK_BYTES, to - at);
      int skip = fill(id, at, length);
      buffer.setBytes(at, pattern, skip, length);
      at += length;
    }
  }

  /** As {@link #write}, at the buffer's writer index, which lets the buffer grow. */
  void append(ByteBuf buffer, long id, int from, int to) {
    for (int at = from; at < to; ) {
      int length = Math.min(CHUNK_BYTES, to - at);
      int skip = fill(id, at, length);
      buffer.writeBytes(pattern, skip, length);
      at += length;
    }
  }

  /** As {@link #write}, through a view of those bytes, as many as it has. */
  void write(ByteBuffer view, long id, int from) {
    for (int at = from; view.hasRemaining(); ) {
      int length = Math.min(CHUNK_BYTES, view.remaining());
      int skip = fill(id, at, length);
      view.put(pattern, skip, length);
      at += length;
    }
  }

  /** Checks all that the holding shows. */
  void check(Holding holding) {
    check(holding, 0, holding.length());
  }

  /**
   * Checks a part of what the holding shows.
   *
   * @throws SoakFailure if a byte differs
   */
  void check(Holding holding, int from, int to) {
    for (int at = from; at < to; ) {
      int length = Math.min(CHUNK_BYTES, to - at);
      int skip = fill(holding.id(), holding.offset() + at, length);
      holding.buffer().getBytes(at, found, 0, length);
      int wrong = Arrays.mismatch(pattern, skip, skip + length, found, 0, length);
      if (wrong >= 0) {
        throw new SoakFailure(
            "a byte of a live buffer has changed",
            holding,
            differing(holding, at + wrong, pattern[skip + wrong], found[wrong]));
      }
      checkedBytes += length;
      at += length;
    }
  }

  /** The bytes compared since the last call. */
  long takeCheckedBytes() {
    long bytes = checkedBytes;
    checkedBytes = 0;
    return bytes;
  }

  private static String differing(Holding holding, int index, byte expected, byte found) {
    String wrong = "byte %d is 0x%02X, not 0x%02X".formatted(index, found, expected);
    int wordAt = index - (holding.offset() + index) % Long.BYTES;
    if (wordAt < 0 || wordAt + Long.BYTES > holding.length()) {
      return wrong;
    }
    long word = holding.buffer().getLongLE(wordAt);
    return wrong
        + "\n  the 8 bytes from %d on are 0x%016X: as a stamp, byte %,d of buffer %s"
            .formatted(wordAt, word, place(word), Identity.text(identity(word)));
  }

  /**
   * Makes a part of a stamp.
   *
   * @return where it begins in {@link #pattern}, which holds whole words
   */
  private int fill(long id, int from, int length) {
    int skip = from % Long.BYTES;
    int end = skip + length;
    long product = (id << PLACE_BITS | from / Long.BYTES) * FACTOR;
    for (int i = 0; i < end; i += Long.BYTES) {
      // The high half goes into the low one, which would depend on the place alone otherwise.
      LONGS.set(pattern, i, product ^ product >>> 32);
      product += FACTOR; // that of the next place
    }
    return skip;
  }

  /** The identity that a word of a stamp was made from. */
  static long identity(long word) {
    return unpack(word) >>> PLACE_BITS;
  }

  /** The index of a word's first byte in its stamp. */
  static long place(long word) {
    return (unpack(word) & (1L << PLACE_BITS) - 1) * Long.BYTES;
  }

  private static long unpack(long word) {
    return (word ^ word >>> 32) * INVERSE;
  }
}
