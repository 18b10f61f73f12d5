package io.github.mimalloc4j.core.memory;

/** A contiguous piece of memory obtained from a {@link MemorySource}. */
public interface Memory {

  /** Gives the memory back. Called once, when no block in it is in use any more; any thread. */
  void free();
}
