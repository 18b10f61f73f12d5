package io.github.mimalloc4j.microbench.allocator;

/** Where a buffer's bytes live. */
public enum BufferKind {
  DIRECT,
  HEAP
}
