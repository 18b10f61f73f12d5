package io.github.mimalloc4j.microbench.allocator;

/** Where a buffer's bytes live. */
public enum BufferKind {
  /** Outside the Java heap. */
  DIRECT,
  /** In a byte array. */
  HEAP
}
