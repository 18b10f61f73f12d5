package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.netty.events.Located;

/** Memory that nobody uses any more, and that is still to be freed. */
public interface FreedMemory extends Located {

  /** Its size. */
  int bytes();

  /** Frees it. Called once. */
  void freeNow();
}
