package io.github.mimalloc4j.netty.support;

import io.netty.buffer.ByteBuf;

/**
 * Marks all bytes of a buffer with an identity. Each byte follows from the identity and its index
 * alone, so that a part of a stamp can be checked by itself, and bytes in the wrong place show.
 */
public final class Stamp {

  private Stamp() {}

  /** Stamps the whole capacity. */
  public static void write(ByteBuf buffer, long id) {
    int end = buffer.capacity();
    int index = 0;
    for (; index + Long.BYTES <= end; index += Long.BYTES) {
      buffer.setLong(index, word(id, index));
    }
    for (; index < end; index++) {
      buffer.setByte(index, byteAt(id, index));
    }
  }

  /** Checks the whole capacity. */
  public static void check(ByteBuf buffer, long id) {
    check(buffer, id, 0, buffer.capacity());
  }

  /** Checks the first {@code length} bytes, which stand at {@code stampIndex} in the stamp. */
  public static void check(ByteBuf buffer, long id, int stampIndex, int length) {
    int index = 0;
    if (stampIndex % Long.BYTES == 0) {
      while (index + Long.BYTES <= length
          && buffer.getLong(index) == word(id, stampIndex + index)) {
        index += Long.BYTES;
      }
    }
    for (; index < length; index++) {
      int expected = byteAt(id, stampIndex + index) & 0xFF;
      int found = buffer.getByte(index) & 0xFF;
      if (expected != found) {
        throw new AssertionError(
            "byte "
                + index
                + " of stamp "
                + id
                + " is "
                + found
                + ", not "
                + expected
                + ": "
                + buffer);
      }
    }
  }

  private static byte byteAt(long id, int index) {
    int inWord = index % Long.BYTES;
    return (byte) (word(id, index - inWord) >>> (Long.SIZE - (inWord + 1) * Byte.SIZE));
  }

  private static long word(long id, int index) {
    long word = (id + 1) * 0x9E3779B97F4A7C15L + index * 0xC2B2AE3D27D4EB4FL;
    return word ^ word >>> 29;
  }
}
