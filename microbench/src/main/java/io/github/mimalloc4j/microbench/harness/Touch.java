package io.github.mimalloc4j.microbench.harness;

import io.netty.buffer.ByteBuf;

/** How much of a new buffer is written. */
public enum Touch {
  /** Nothing: the allocator alone. */
  NONE,
  /** The first and the last byte. */
  ENDS,
  /** Everything, as by a read from a socket. */
  ALL;

  private static final byte[] PAYLOAD = new byte[64 << 10];

  /** Writes to a buffer of at least one byte. */
  public void write(ByteBuf buffer, int size) {
    if (this == NONE) {
      return;
    }
    if (this == ENDS) {
      buffer.setByte(0, size);
      buffer.setByte(size - 1, size);
      return;
    }
    for (int from = 0; from < size; from += PAYLOAD.length) {
      buffer.setBytes(from, PAYLOAD, 0, Math.min(PAYLOAD.length, size - from));
    }
  }
}
