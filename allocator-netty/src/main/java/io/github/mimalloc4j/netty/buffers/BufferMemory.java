package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.netty.events.Located;
import java.nio.ByteBuffer;

/** The memory of a segment, seen as one NIO buffer. */
public abstract class BufferMemory implements Memory, Located {

  private final BufferSource source;
  private final ByteBuffer buffer;

  BufferMemory(BufferSource source, ByteBuffer buffer) {
    this.source = source;
    this.buffer = buffer;
  }

  /** Where the buffers come from whose blocks lie here. */
  BufferSource source() {
    return source;
  }

  /**
   * All bytes, big-endian. Shared by all threads: its position, limit and order are left as they
   * are.
   */
  public ByteBuffer buffer() {
    return buffer;
  }
}
