package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;

/** Is told of what debug mode finds. Thread-safe. */
@FunctionalInterface
public interface MisuseListener {

  /**
   * A block was written to by somebody who did not have it.
   *
   * @param afterRelease whether the block was free; else it was written to behind its buffer's end
   * @param damagedIndex the first byte of the block that was written to
   * @param trace of the thread that found it; its causes are what was done with the buffer before
   */
  void found(boolean afterRelease, MiMallocByteBuf block, int damagedIndex, Throwable trace);
}
