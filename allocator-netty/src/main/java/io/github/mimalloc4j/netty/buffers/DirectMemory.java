package io.github.mimalloc4j.netty.buffers;

/**
 * Direct memory, counted by Netty's limit for it, and freed without a garbage collection: as far as
 * the Netty there is does that ({@link NettyMemory}).
 */
public final class DirectMemory extends BufferMemory implements FreedMemory {

  /** How deep an error is looked for among causes, which may be a circle. */
  private static final int MOST_CAUSES = 8;

  private final NettyMemory memory;
  private final long address;

  private DirectMemory(BufferSource source, NettyMemory memory) {
    super(source, memory.buffer());
    this.memory = memory;
    this.address = memory.address();
  }

  /** To be called before the first allocation, so that nothing is decided in the midst of one. */
  public static void initialize() {
    NettyMemory.initialize();
  }

  /**
   * Obtains direct memory.
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
    memory.free();
  }
}
