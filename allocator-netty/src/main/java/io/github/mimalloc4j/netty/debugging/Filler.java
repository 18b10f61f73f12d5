package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that all have the same value: fills blocks with it, and finds others. Thread-safe. */
public final class Filler {

  /** Bytes that are filled or compared at a time. */
  private static final int CHUNK_BYTES = 4096;

  private final byte[] chunk = new byte[CHUNK_BYTES];

  Filler(byte value) {
    Arrays.fill(chunk, value);
  }

  /** Fills the bytes of a block between two indexes, whatever the state of the buffer. */
  void fill(MiMallocByteBuf block, int from, int to) {
    ByteBuffer bytes = block.memory().buffer();
    int offset = block.offset();
    int length;
    for (int index = from; index < to; index += length) {
      length = Math.min(CHUNK_BYTES, to - index);
      bytes.put(offset + index, chunk, 0, length);
    }
  }

  /** The index of the first byte of a block between two indexes that is another; -1 if none is. */
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

  /** The value of all bytes. */
  public byte value() {
    return chunk[0];
  }
}
