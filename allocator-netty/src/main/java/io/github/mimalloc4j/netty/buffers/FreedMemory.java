package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.memory.Memory;

/** Memory that is no longer in use and remains to be freed. */
public interface FreedMemory {

  /** Returns the address of the first byte, or {@link Memory#NO_ADDRESS}. */
  long address();

  /** Returns the size in bytes. */
  int bytes();

  /** Frees the memory. Called once. */
  void freeNow();
}
