package io.github.mimalloc4j.core.heap;

/**
 * Is told of a user's mistake that a heap has found, by the holder, in the midst of collecting a
 * page.
 *
 * <p>Implementations are thread-safe, throw nothing, and call no code of users, which might come
 * back into the heap: they count, and tell later.
 */
@FunctionalInterface
public interface HeapListener {

  /**
   * A block was released twice at the same time, by its page's owner and by another thread. The
   * second release was dropped.
   */
  void doubleReleaseCaught();
}
