package io.github.mimalloc4j.microbench.application;

import org.jspecify.annotations.Nullable;

/** Waits for the answer to a request. */
@FunctionalInterface
public interface Completion {
  /**
   * Is called once, on the client's executor.
   *
   * @param error null if the answer was correct, else what was wrong
   */
  void completed(@Nullable String error);
}
