package io.github.mimalloc4j.netty.buffers;

import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;

/** Direct memory, counted by Netty's limit for it and freed at once. */
public final class DirectMemory extends BufferMemory {

  private final CleanableDirectBuffer cleanable;
  private final long address;

  private DirectMemory(BufferSource source, CleanableDirectBuffer cleanable) {
    super(source, cleanable.buffer());
    this.cleanable = cleanable;
    this.address = address(cleanable);
  }

  /**
   * Obtains direct memory.
   *
   * @throws OutOfMemoryError beyond Netty's or the JDK's limit
   */
  public static DirectMemory allocate(BufferSource source, int bytes) {
    CleanableDirectBuffer cleanable = PlatformDependent.allocateDirect(bytes, true);
    try {
      return new DirectMemory(source, cleanable);
    } catch (OutOfMemoryError e) {
      cleanable.clean();
      throw e;
    }
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public void free() {
    cleanable.clean();
  }

  private static long address(CleanableDirectBuffer cleanable) {
    if (cleanable.hasMemoryAddress()) {
      return cleanable.memoryAddress();
    }
    ByteBuffer buffer = cleanable.buffer();
    return PlatformDependent.hasDirectByteBufferAddress(buffer)
        ? PlatformDependent.directBufferAddress(buffer)
        : NO_ADDRESS;
  }
}
