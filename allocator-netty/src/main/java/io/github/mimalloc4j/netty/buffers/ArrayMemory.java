package io.github.mimalloc4j.netty.buffers;

import java.nio.ByteBuffer;

/**
 * A segment's memory as an array on the Java heap. The garbage collector frees it when it becomes
 * unreachable.
 */
public final class ArrayMemory extends BufferMemory {

  /** What has been given back: any access to it throws. */
  static final byte[] NO_ARRAY = {};

  private byte[] array;

  private ArrayMemory(BufferSource source, byte[] array) {
    super(source, ByteBuffer.wrap(array));
    this.array = array;
  }

  /** Returns the maximum size of the Java heap. */
  public static long reachableBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  /**
   * Allocates an array.
   *
   * @throws OutOfMemoryError if the Java heap has no room for it
   */
  public static ArrayMemory allocate(BufferSource source, int bytes) {
    long most = reachableBytes();
    if (bytes > most) { // the JVM would collect garbage before it says so
      throw new OutOfMemoryError(
          "The Java heap can have at most " + most + " bytes: no room for " + bytes);
    }
    return new ArrayMemory(source, new byte[bytes]);
  }

  byte[] array() {
    return array;
  }

  @Override
  public boolean isFreedByCollector() {
    return true;
  }

  @Override
  public void free() {
    array = NO_ARRAY;
    forgetBuffer();
  }
}
