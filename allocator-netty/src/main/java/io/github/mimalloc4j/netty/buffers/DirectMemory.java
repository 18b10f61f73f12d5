package io.github.mimalloc4j.netty.buffers;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Direct memory that counts towards Netty's limit and is freed without a garbage collection, as far
 * as the Netty version supports that ({@link NettyMemory}).
 */
public final class DirectMemory extends BufferMemory implements FreedMemory {

  /** How many causes are searched for an error. The chain may be circular. */
  private static final int MOST_CAUSES = 8;

  private @Nullable NettyMemory memory;
  private final long address;
  private final int bytes;

  private DirectMemory(BufferSource source, NettyMemory memory) {
    super(source, memory.buffer());
    this.bytes = buffer().capacity();
    this.memory = memory;
    this.address = memory.address();
  }

  /** Called before the first allocation, so that nothing is initialized during one. */
  public static void initialize() {
    NettyMemory.initialize();
  }

  /**
   * Returns Netty's limit or the JDK's, the smaller of those that apply; {@link Long#MAX_VALUE} if
   * none does.
   */
  public static long reachableBytes() {
    return NettyMemory.reachableBytes();
  }

  /**
   * Allocates direct memory.
   *
   * @throws OutOfMemoryError beyond Netty's or the JDK's limit
   */
  public static DirectMemory allocate(BufferSource source, int bytes) {
    NettyMemory memory;
    try {
      memory = NettyMemory.allocate(bytes);
    } catch (RuntimeException e) {
      throw rethrow(e);
    }
    try {
      return new DirectMemory(source, memory);
    } catch (Throwable e) {
      memory.free();
      throw e;
    }
  }

  /**
   * Throws the {@link OutOfMemoryError} among the causes of a failure, or else the failure. If
   * Netty allocates from an arena, it wraps every failure in an {@link IllegalStateException},
   * including lack of memory. Callers need the error: on it they give back what they can and try
   * again.
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
    return bytes;
  }

  @Override
  public void free() {
    if (!source().hold(this)) {
      freeNow();
    }
  }

  @Override
  public void freeNow() {
    NettyMemory memory = requireNonNull(this.memory);
    this.memory = null;
    forgetBuffer();
    memory.free();
  }

  @Override
  public boolean isFreedByCollector() {
    return !NettyMemory.IS_FREED_AT_ONCE;
  }
}
