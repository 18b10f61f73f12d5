package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What messages are made of, and how they are known again: a stamp, and letters that depend on it.
 * All of it is text.
 */
final class Content {
  /** The bytes of a stamp, which the shortest message has. */
  static final int STAMP_BYTES = 16;

  static final int MAX_BYTES = 64 << 10;

  /** A stamp's number of the sender is above this many bits, its count of messages below. */
  private static final int COUNT_BITS = 40;

  /** So few that compression makes half of them. */
  private static final int LETTERS = 16;

  /** Where in the pattern a message's letters may begin. */
  private static final int OFFSET_BITS = 16;

  /** 2^64 divided by the golden ratio: each bit of a stamp has a say in the upper bits. */
  private static final long MIXER = 0x9E37_79B9_7F4A_7C15L;

  private static final byte[] LETTERS_IN_A_ROW = lettersInARow();
  private static final ByteBuf PATTERN = Unpooled.wrappedBuffer(LETTERS_IN_A_ROW).asReadOnly();
  private static final AtomicInteger senders = new AtomicInteger();

  private Content() {}

  private static byte[] lettersInARow() {
    byte[] bytes = new byte[(1 << OFFSET_BITS) + MAX_BYTES];
    Random random = new Random(1);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(LETTERS));
    }
    return bytes;
  }

  /** The first stamp of one more sender; each that it counts up to is its own. */
  static long firstStamp() {
    return (long) senders.incrementAndGet() << COUNT_BITS;
  }

  /** What the stamps of one sender have in common. */
  static long senderOf(long stamp) {
    return stamp >>> COUNT_BITS;
  }

  static boolean isSameSender(long stamp, long another) {
    return senderOf(stamp) == senderOf(another);
  }

  /**
   * Writes a message.
   *
   * @param length of the message, from {@link #STAMP_BYTES} to {@link #MAX_BYTES}
   */
  static void write(ByteBuf to, long stamp, int length) {
    for (int i = 0; i < STAMP_BYTES; i++) {
      to.writeByte(stampByte(stamp, i));
    }
    to.writeBytes(LETTERS_IN_A_ROW, offset(stamp), length - STAMP_BYTES);
  }

  /** Makes a message as {@link #write} does. */
  static byte[] message(long stamp, int length) {
    byte[] message = new byte[length];
    write(Unpooled.wrappedBuffer(message).clear(), stamp, length);
    return message;
  }

  /** The stamp of a message, or of what is not one. */
  static long stampOf(ByteBuf message, int index) {
    long stamp = 0;
    for (int i = 0; i < STAMP_BYTES; i++) {
      stamp = stamp << 4 | (message.getByte(index + i) - 'a' & 15);
    }
    return stamp;
  }

  /** Whether the bytes from the index on are the message of this stamp and length. */
  static boolean isMessage(ByteBuf bytes, int index, int length, long stamp) {
    return length >= STAMP_BYTES && isPart(bytes, index, length, stamp, 0);
  }

  /**
   * Whether bytes are a part of a message.
   *
   * @param index of the first of these bytes
   * @param from where in the message of this stamp the part begins
   */
  static boolean isPart(ByteBuf bytes, int index, int length, long stamp, int from) {
    if (from + length > MAX_BYTES) {
      return false;
    }
    int inStamp = Math.max(0, Math.min(length, STAMP_BYTES - from));
    for (int i = 0; i < inStamp; i++) {
      if (bytes.getByte(index + i) != stampByte(stamp, from + i)) {
        return false;
      }
    }
    int letters = offset(stamp) + from + inStamp - STAMP_BYTES;
    return ByteBufUtil.equals(bytes, index + inStamp, PATTERN, letters, length - inStamp);
  }

  private static int stampByte(long stamp, int index) {
    return 'a' + (int) (stamp >>> 4 * (STAMP_BYTES - 1 - index) & 15);
  }

  private static int offset(long stamp) {
    return (int) (stamp * MIXER >>> Long.SIZE - OFFSET_BITS);
  }
}
