package io.github.mimalloc4j.netty.threads;

/**
 * What a program that tests an allocator has happen where it takes memory or makes a block: nothing
 * but for such programs. Thread-safe.
 */
public interface Faults {

  /** Before memory is obtained. Whatever it throws, the source throws. */
  void beforeMemory();

  /** Before a block is made. Whatever it throws, the making of the block throws. */
  void beforeBlock();
}
