package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.netty.buffers.FreedMemory;

/** A piece of memory that is held back. */
final class RacedTops {

  private final ArenaTops tops = new ArenaTops();
  private volatile boolean freed;

  RacedTops() {
    tops.hold(
        new FreedMemory() {
          @Override
          public long address() {
            return 1L << ArenaTops.HEAP_SHIFT;
          }

          @Override
          public int bytes() {
            return 1;
          }

          @Override
          public void freeNow() {
            freed = true;
          }
        });
  }

  void release() {
    tops.release();
  }

  /** Does what is done before memory is obtained. Returns whether the piece is free then. */
  boolean isFreedForWhoObtains() {
    tops.releaseAndAwait();
    return freed;
  }
}
