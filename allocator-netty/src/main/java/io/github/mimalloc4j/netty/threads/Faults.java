package io.github.mimalloc4j.netty.threads;

/** Faults that a test injects where an allocator obtains memory or creates a block. Thread-safe. */
public interface Faults {

  /** Called before memory is obtained. The source throws whatever this method throws. */
  void beforeMemory();

  /** Called before a block is created. The factory throws whatever this method throws. */
  void beforeBlock();
}
