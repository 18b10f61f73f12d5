package io.github.mimalloc4j.microbench.trace;

/** What is done to a buffer. */
public enum TraceOperation {
  ALLOCATE,
  RELEASE,
  /** It gets a new capacity. */
  RESIZE
}
