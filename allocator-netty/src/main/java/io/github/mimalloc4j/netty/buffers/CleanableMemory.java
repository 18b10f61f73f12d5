package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.memory.Memory;
import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;

/** Direct memory in Netty 4.2.12 and newer. */
final class CleanableMemory extends NettyMemory {

  private final CleanableDirectBuffer cleanable;

  private CleanableMemory(CleanableDirectBuffer cleanable) {
    this.cleanable = cleanable;
  }

  static CleanableMemory allocate(int bytes) {
    CleanableDirectBuffer cleanable = PlatformDependent.allocateDirect(bytes, true);
    try {
      return new CleanableMemory(cleanable);
    } catch (Throwable e) {
      cleanable.clean();
      throw e;
    }
  }

  @Override
  ByteBuffer buffer() {
    return cleanable.buffer();
  }

  @Override
  long address() {
    if (cleanable.hasMemoryAddress()) {
      return cleanable.memoryAddress();
    }
    ByteBuffer buffer = cleanable.buffer();
    return PlatformDependent.hasDirectByteBufferAddress(buffer)
        ? PlatformDependent.directBufferAddress(buffer)
        : Memory.NO_ADDRESS;
  }

  @Override
  void free() {
    cleanable.clean();
  }
}
