package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.memory.Memory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Direct memory in Netty before 4.2.12: the memory of an unpooled buffer, the only kind that
 * Netty's public classes provide there.
 */
final class UnpooledMemory extends NettyMemory {

  /** Without leak detection: a segment is not a buffer of the application. */
  private static final UnpooledByteBufAllocator ALLOCATOR =
      new UnpooledByteBufAllocator(false, true);

  private final ByteBuf memory;
  private final ByteBuffer buffer;

  private UnpooledMemory(ByteBuf memory, int bytes) {
    this.memory = memory;
    buffer = memory.nioBuffer(0, bytes);
  }

  /** Initializes the class. */
  static void initialize() {}

  static UnpooledMemory allocate(int bytes) {
    ByteBuf memory = ALLOCATOR.directBuffer(bytes, bytes);
    try {
      return new UnpooledMemory(memory, bytes);
    } catch (Throwable e) {
      memory.release();
      throw e;
    }
  }

  @Override
  ByteBuffer buffer() {
    return buffer;
  }

  @Override
  long address() {
    return memory.hasMemoryAddress() ? memory.memoryAddress() : Memory.NO_ADDRESS;
  }

  @Override
  void free() {
    memory.release();
  }
}
