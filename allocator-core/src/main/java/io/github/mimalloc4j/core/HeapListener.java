package io.github.mimalloc4j.core;

/** Is told what users should hear of. Implementations are thread-safe and throw nothing. */
public interface HeapListener {

  /**
   * A block was released twice at the same time, by its page's owner and by another thread. The
   * second release was dropped.
   */
  void doubleReleaseCaught();
}
