package io.github.mimalloc4j.netty;

import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;

/** Direct memory, counted by Netty's limit for it and freed at once. */
final class DirectMemory extends BufferMemory {

  /** What {@link #address()} is where the platform does not tell. */
  static final long NO_ADDRESS = 0;

  private final CleanableDirectBuffer cleanable;
  private final long address;

  private DirectMemory(ThreadHeaps heaps, CleanableDirectBuffer cleanable) {
    super(heaps, cleanable.buffer());
    this.cleanable = cleanable;
    this.address = address(cleanable);
  }

  /**
   * Obtains direct memory.
   *
   * @throws OutOfMemoryError beyond Netty's or the JDK's limit
   */
  static DirectMemory allocate(ThreadHeaps heaps, int bytes) {
    CleanableDirectBuffer cleanable = PlatformDependent.allocateDirect(bytes, true);
    try {
      return new DirectMemory(heaps, cleanable);
    } catch (OutOfMemoryError e) {
      cleanable.clean();
      throw e;
    }
  }

  /** The address of the first byte, or {@link #NO_ADDRESS}. */
  long address() {
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
