package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.netty.events.Located;

/** Memory that is no longer in use and remains to be freed. */
public interface FreedMemory extends Located {

  /** Returns the size in bytes. */
  int bytes();

  /** Frees the memory. Called once. */
  void freeNow();
}
