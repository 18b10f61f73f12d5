package io.github.mimalloc4j.core.memory;

/** A contiguous piece of memory obtained from a {@link MemorySource}. */
public interface Memory {

  /** The value of {@link #address()} for memory on the Java heap or where the platform hides it. */
  long NO_ADDRESS = 0;

  /** Returns the address of the first byte, or {@link #NO_ADDRESS}. */
  default long address() {
    return NO_ADDRESS;
  }

  /** Gives the memory back. Called once, when no block in it is in use any more; any thread. */
  void free();

  /**
   * Returns whether only a garbage collection frees the memory, once nothing refers to it any more.
   */
  default boolean isFreedByCollector() {
    return false;
  }
}
