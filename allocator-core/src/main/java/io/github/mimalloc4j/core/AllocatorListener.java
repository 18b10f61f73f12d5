package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.HeapListener;
import io.github.mimalloc4j.core.memory.SegmentListener;

/**
 * Is told of what is rare in an allocator, by all its layers. A user's mistake must be reported;
 * the rest is for those who watch.
 *
 * <p>Implementations are thread-safe, throw nothing, and call nothing of the allocator that takes
 * or gives memory: the caller may hold a lock.
 */
@FunctionalInterface
public interface AllocatorListener extends HeapListener, SegmentListener {

  /** The calling thread took over a heap whose owner has ended. */
  default void adopted() {}

  /**
   * An allocation of the calling thread found no memory. Now all within reach is trimmed, and it is
   * tried again.
   *
   * @param usedBytes what is held at this moment
   */
  default void retriedForMemory(long usedBytes) {}
}
