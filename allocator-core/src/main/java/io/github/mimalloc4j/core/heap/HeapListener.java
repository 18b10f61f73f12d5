package io.github.mimalloc4j.core.heap;

/**
 * Is told of a user's mistake that a heap has found.
 *
 * <p>Implementations are thread-safe, throw nothing, and call nothing of the allocator that takes
 * or gives memory: the caller may hold a lock.
 */
@FunctionalInterface
public interface HeapListener {

  /**
   * A block was released twice at the same time, by its page's owner and by another thread. The
   * second release was dropped.
   */
  void doubleReleaseCaught();
}
