package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.memory.Memory;
import java.nio.ByteBuffer;

/** The memory of a segment, seen as one NIO buffer. */
abstract class BufferMemory implements Memory {

  private final ThreadHeaps heaps;
  private final ByteBuffer buffer;

  BufferMemory(ThreadHeaps heaps, ByteBuffer buffer) {
    this.heaps = heaps;
    this.buffer = buffer;
  }

  /** The heaps whose blocks lie here. */
  ThreadHeaps heaps() {
    return heaps;
  }

  /**
   * All bytes, big-endian. Shared by all threads: its position, limit and order are left as they
   * are.
   */
  ByteBuffer buffer() {
    return buffer;
  }
}
