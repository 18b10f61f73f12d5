package io.github.mimalloc4j.netty.buffers;

import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;

/** Direct memory, counted by Netty's limit for it, and freed without a garbage collection. */
public final class DirectMemory extends BufferMemory implements FreedMemory {

  /** How deep an error is looked for among causes, which may be a circle. */
  private static final int MOST_CAUSES = 8;

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
    CleanableDirectBuffer cleanable;
    try {
      cleanable = PlatformDependent.allocateDirect(bytes, true);
    } catch (RuntimeException e) {
      throw rethrow(e);
    }
    try {
      return new DirectMemory(source, cleanable);
    } catch (Throwable e) {
      cleanable.clean();
      throw e;
    }
  }

  /**
   * Throws what Netty failed with. Where it obtains memory from an arena, it wraps whatever that
   * throws in an {@link IllegalStateException}, so also that there is no memory: for that, callers
   * look for an {@link OutOfMemoryError}, to give back what they can and try again.
   */
  static RuntimeException rethrow(RuntimeException failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      if (cause instanceof OutOfMemoryError error) {
        throw error;
      }
      cause = cause.getCause();
    }
    throw failure;
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public int bytes() {
    return buffer().capacity();
  }

  @Override
  public void free() {
    if (!source().hold(this)) {
      freeNow();
    }
  }

  @Override
  public void freeNow() {
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
