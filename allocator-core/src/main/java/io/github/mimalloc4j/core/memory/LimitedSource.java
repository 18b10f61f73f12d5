package io.github.mimalloc4j.core.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A memory source with a limit, which holds whatever threads do at the same time. Does not ask the
 * source as long as there is a {@link Shortage}.
 *
 * <p>Thread-safe.
 */
final class LimitedSource implements MemorySource {

  private final MemorySource source;
  private final long maxBytes;
  private final Shortage shortage = new Shortage(System::nanoTime);
  private final AtomicLong usedBytes = new AtomicLong();

  /** How often memory went back to the source. */
  private final AtomicLong frees = new AtomicLong();

  /**
   * Creates a source of which nothing is used.
   *
   * @param maxBytes the maximum bytes used at any time
   */
  LimitedSource(MemorySource source, long maxBytes) {
    this.source = source;
    this.maxBytes = maxBytes;
  }

  /** Returns the bytes obtained and not freed. Never above the limit. */
  long usedBytes() {
    return usedBytes.get();
  }

  /** Returns whether to ask for that many bytes if fewer would do: see {@link Shortage}. */
  boolean allowsMore(int bytes) {
    return shortage.allowsMore(bytes);
  }

  /**
   * Obtains memory.
   *
   * @throws OutOfMemoryError if the limit is reached, or the source has no memory left
   */
  @Override
  public Memory allocate(int bytes) {
    StackRoom.require(); // for what the caller does with it, too
    reserve(bytes);
    try {
      return shortage.allocate(source, bytes, frees.get());
    } catch (Throwable e) {
      usedBytes.addAndGet(-bytes);
      throw e;
    }
  }

  private void reserve(int bytes) {
    long used;
    do {
      used = usedBytes.get();
      if (bytes > maxBytes - used) {
        throw new OutOfMemoryError(
            "The allocator's limit is "
                + maxBytes
                + " bytes, and "
                + used
                + " of them are used: no room for another "
                + bytes);
      }
    } while (!usedBytes.compareAndSet(used, used + bytes));
  }

  /** Gives back memory obtained here. */
  void free(Memory memory, int bytes) {
    try {
      memory.free();
    } finally {
      usedBytes.addAndGet(-bytes); // not before: it counts until it is given back
      frees.incrementAndGet();
    }
  }
}
