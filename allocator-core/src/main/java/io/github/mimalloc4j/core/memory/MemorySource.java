package io.github.mimalloc4j.core.memory;

/** The source of segments. Implementations are thread-safe. */
public interface MemorySource {

  /**
   * Obtains a contiguous piece of memory.
   *
   * @param bytes its size in bytes, positive
   * @return memory that nobody else uses until it is {@linkplain Memory#free() freed}
   * @throws OutOfMemoryError if there is no memory; nothing is taken then
   */
  Memory allocate(int bytes);
}
