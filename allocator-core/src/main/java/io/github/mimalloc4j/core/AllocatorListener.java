package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.memory.SegmentListener;

/**
 * Is told of what is rare in an allocator, by all its layers. A user's mistake must be reported;
 * the rest is for those who watch.
 *
 * <p>Implementations are thread-safe. What is told of a mistake may be shown to code of users; all
 * else is told in the midst of something, maybe under a lock, and there implementations throw
 * nothing and call nothing of the allocator that takes or gives memory.
 */
@FunctionalInterface
public interface AllocatorListener extends SegmentListener {

  /**
   * Blocks were released twice at the same time, by their pages' owners and by another thread; the
   * second releases were dropped. Told by upkeep, soon after they were found and counted, outside
   * of all heaps and locks: it may allocate, release and throw.
   *
   * @param releases how many were found since it was told last, 1 or more
   */
  void doubleReleasesCaught(long releases);

  /** The calling thread took over a heap whose owner has ended. */
  default void adopted() {}

  /**
   * An allocation of the calling thread found no memory. Now all within reach is trimmed, and it is
   * tried again.
   *
   * @param usedBytes what is held at this moment
   */
  default void retriedForMemory(long usedBytes) {}
}
