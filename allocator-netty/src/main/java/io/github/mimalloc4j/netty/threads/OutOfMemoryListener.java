package io.github.mimalloc4j.netty.threads;

/** Listener for allocations that fail because there is no memory. Thread-safe. */
@FunctionalInterface
public interface OutOfMemoryListener {

  /**
   * Called by the allocating thread when an allocation failed, before the error is thrown.
   *
   * @param usedBytes the bytes of that kind of memory that the allocator holds
   * @param liveBytes of these, the bytes in use by buffers
   */
  void failed(
      boolean direct, int requestedBytes, long usedBytes, long liveBytes, OutOfMemoryError error);
}
