package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;

/** Listener for invalid writes found in debug mode. Thread-safe. */
@FunctionalInterface
public interface MisuseListener {

  /**
   * Reports that a thread wrote to a block that it did not hold.
   *
   * @param afterRelease whether the block was free; otherwise the write was beyond its buffer's end
   * @param damagedIndex the index in the block of the first byte that was written to
   * @param trace the trace of the thread that found it; its causes are earlier uses of the buffer
   */
  void found(boolean afterRelease, MiMallocByteBuf block, int damagedIndex, Throwable trace);
}
