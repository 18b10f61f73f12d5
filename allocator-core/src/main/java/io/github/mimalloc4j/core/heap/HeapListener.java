package io.github.mimalloc4j.core.heap;

/**
 * Receives the users' mistakes that a heap finds. The holder calls it while it collects a page.
 *
 * <p>Implementations are thread-safe, throw nothing, and call no user code, which might call the
 * heap: they count, and report later.
 */
@FunctionalInterface
public interface HeapListener {

  /**
   * A block was released twice at the same time, by its page's holder and by another thread. The
   * second release was dropped.
   */
  void doubleReleaseCaught();
}
