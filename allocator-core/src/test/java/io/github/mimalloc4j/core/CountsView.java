package io.github.mimalloc4j.core;

/**
 * What the races see of an allocator's counts: there were {@link #ALLOCATIONS}, one in a page that
 * is about to be given back and one in a heap that is about to be forgotten.
 */
public interface CountsView {

  long ALLOCATIONS = 2;

  /** Gives the page back and forgets the heap. */
  void keepUp();

  /** How many allocations there were. Any thread. */
  long allocations();
}
