package io.github.mimalloc4j.netty;

import java.nio.ByteBuffer;

/** An array on the Java heap. It is free when nothing refers to it any more. */
final class ArrayMemory extends BufferMemory {

  private final byte[] array;

  private ArrayMemory(ThreadHeaps heaps, byte[] array) {
    super(heaps, ByteBuffer.wrap(array));
    this.array = array;
  }

  /**
   * Obtains an array.
   *
   * @throws OutOfMemoryError if the Java heap has no room for it
   */
  static ArrayMemory allocate(ThreadHeaps heaps, int bytes) {
    return new ArrayMemory(heaps, new byte[bytes]);
  }

  byte[] array() {
    return array;
  }

  @Override
  public void free() {}
}
