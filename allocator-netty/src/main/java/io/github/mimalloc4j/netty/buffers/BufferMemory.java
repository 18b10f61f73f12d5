package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.memory.Memory;
import java.nio.ByteBuffer;

/** The memory of a segment, as one NIO buffer. */
public abstract class BufferMemory implements Memory {

  /** What has been given back: any access to it throws. */
  static final ByteBuffer NO_BUFFER = ByteBuffer.allocate(0);

  private final BufferSource source;
  private ByteBuffer buffer;

  BufferMemory(BufferSource source, ByteBuffer buffer) {
    this.source = source;
    this.buffer = buffer;
  }

  /** Returns the source of the buffers whose blocks lie in this memory. */
  BufferSource source() {
    return source;
  }

  /**
   * Returns all bytes as a big-endian buffer. All threads share it, so its position, limit and
   * order must not be changed.
   */
  public ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Drops the reference to the bytes, which were given back: released buffers may still lead here.
   */
  final void forgetBuffer() {
    buffer = NO_BUFFER;
  }
}
