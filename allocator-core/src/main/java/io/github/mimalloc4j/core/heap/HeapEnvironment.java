package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.SearchBudget;

/** What heaps ask of the allocator that they belong to. Any thread. */
public interface HeapEnvironment {

  /**
   * Trims some portions of the shared heaps. Called if retired and stolen pages did not make room,
   * before the heap obtains another segment.
   */
  void makeRoom();

  /**
   * Trims the heaps that no thread owns, has upkeep ask the owners of others to trim them, and
   * purges the pool, if the {@linkplain SearchBudget budget} allows it. Called if no memory was
   * found, by a heap that is about to try again.
   *
   * @return whether the budget allows it, and also to steal all pages that can be stolen
   */
  boolean trimForRetry();

  /**
   * Counts a block that was released twice at the same time, by the holder of its heap and by
   * another thread; the second release was dropped. Called by the holder in the middle of an
   * operation, so it throws nothing, and calls no user code, which might call the heap: it reports
   * later.
   */
  void doubleReleaseCaught();

  /**
   * Does nothing unless the allocator is closed.
   *
   * @throws IllegalStateException if it is
   */
  void requireOpen();
}
