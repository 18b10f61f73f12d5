package io.github.mimalloc4j.netty.fuzzing;

import java.nio.ByteBuffer;
import java.util.List;

/** The bytes of a fuzzer, read as what a program needs. Behind their end everything is zero. */
final class FuzzInput {

  /** Of 256 values of a byte, how many stand for an index within bounds. */
  private static final int WITHIN = 240;

  private final ByteBuffer bytes;

  FuzzInput(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  boolean hasMore() {
    return bytes.hasRemaining();
  }

  /** Between 0 and 255. */
  int oneByte() {
    return bytes.hasRemaining() ? bytes.get() & 0xff : 0;
  }

  boolean flag() {
    return (oneByte() & 1) != 0;
  }

  /** Any number of 64 bits. */
  long number() {
    long number = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      number = number << Byte.SIZE | oneByte();
    }
    return number;
  }

  /** Between 0 and {@code bound - 1}, which is at most 65,535. */
  int below(int bound) {
    return (bound <= 256 ? oneByte() : oneByte() << Byte.SIZE | oneByte()) % bound;
  }

  /** Mostly between 0 and {@code bound}; sometimes small, or what no index may be. */
  int near(int bound) {
    int choice = oneByte();
    if (choice < WITHIN) {
      return (int) ((long) choice * (bound + 1) / WITHIN);
    }
    return switch (choice) {
      case 255 -> Integer.MAX_VALUE;
      case 254 -> Integer.MIN_VALUE;
      case 253 -> -1;
      case 252 -> bound + 1;
      default -> choice - WITHIN;
    };
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
