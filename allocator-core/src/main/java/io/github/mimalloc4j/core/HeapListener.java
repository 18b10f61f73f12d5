package io.github.mimalloc4j.core;

/**
 * Is told of what is rare. A user's mistake has to be heard; the rest is for those who watch.
 *
 * <p>Implementations are thread-safe, throw nothing, and call nothing of the allocator that takes
 * or gives memory: whoever tells may hold a lock.
 */
public interface HeapListener {

  /**
   * A block was released twice at the same time, by its page's owner and by another thread. The
   * second release was dropped.
   */
  void doubleReleaseCaught();

  /** A segment was obtained from the memory source. */
  default void segmentObtained(Memory memory, int bytes) {}

  /** A segment is about to be freed. */
  default void segmentGoesBack(Memory memory, int bytes) {}

  /**
   * Free segments went back together, those of single blocks not among them. Not called if there
   * were none.
   */
  default void purged(int segments, long bytes) {}

  /** The calling thread took a heap over whose owner has ended. */
  default void adopted() {}

  /**
   * An allocation of the calling thread found no memory. Now all within reach is trimmed, and it is
   * tried again.
   *
   * @param usedBytes what is held at this moment
   */
  default void retriedForMemory(long usedBytes) {}
}
