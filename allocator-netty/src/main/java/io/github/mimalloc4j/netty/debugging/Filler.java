package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Fills blocks with one byte value, and finds bytes with other values. Thread-safe. */
final class Filler {

  /** The number of bytes filled or compared at a time. */
  private static final int CHUNK_BYTES = 4096;

  private final byte[] chunk = new byte[CHUNK_BYTES];

  Filler(byte value) {
    Arrays.fill(chunk, value);
  }

  /**
   * Fills the bytes of a block from one index, inclusive, to another, exclusive. Ignores the
   * reference count.
   */
  void fill(MiMallocByteBuf block, int from, int to) {
    fill(block.memory().buffer(), block.offset() + from, block.offset() + to);
  }

  /** Fills bytes of a memory from one index, inclusive, to another, exclusive. */
  void fill(ByteBuffer bytes, int from, int to) {
    int length;
    for (int index = from; index < to; index += length) {
      length = Math.min(CHUNK_BYTES, to - index);
      bytes.put(index, chunk, 0, length);
    }
  }

  /**
   * Returns the index of the first byte of a block with another value, from one index, inclusive,
   * to another, exclusive; -1 if there is none.
   */
  int firstOther(MiMallocByteBuf block, int from, int to) {
    ByteBuffer bytes = block.memory().buffer();
    int offset = block.offset();
    ByteBuffer expected = ByteBuffer.wrap(chunk);
    int length;
    for (int index = from; index < to; index += length) {
      length = Math.min(CHUNK_BYTES, to - index);
      int other = bytes.slice(offset + index, length).mismatch(expected.limit(length));
      if (other >= 0) {
        return index + other;
      }
    }
    return -1;
  }
}
