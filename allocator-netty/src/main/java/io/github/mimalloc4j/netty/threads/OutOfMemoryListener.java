package io.github.mimalloc4j.netty.threads;

/** Is told of each allocation that fails for want of memory. Thread-safe. */
@FunctionalInterface
public interface OutOfMemoryListener {

  /**
   * An allocation failed. Called before the error is thrown, by the thread that gets it.
   *
   * @param usedBytes what the allocator holds of the kind of memory
   * @param liveBytes what of it is in use by buffers
   */
  void failed(
      boolean direct, int requestedBytes, long usedBytes, long liveBytes, OutOfMemoryError error);
}
