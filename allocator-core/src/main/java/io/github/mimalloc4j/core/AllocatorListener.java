package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.memory.SegmentListener;

/**
 * Receives the rare events of an allocator, from all its layers. Users' mistakes must be reported;
 * all other events are for monitoring.
 *
 * <p>Implementations are thread-safe. They may pass reports of mistakes on to user code. All other
 * events occur in the middle of an operation, possibly under a lock: there, implementations throw
 * nothing, and call no method of the allocator that takes or gives back memory.
 */
@FunctionalInterface
public interface AllocatorListener extends SegmentListener {

  /**
   * Blocks were released twice at the same time, by their pages' holders and by another thread; the
   * second releases were dropped. Called by upkeep, soon after they were found and counted, outside
   * of all heaps and locks: implementations may allocate, release and throw.
   *
   * @param releases the number of second releases found since the last call, 1 or more
   */
  void doubleReleasesCaught(long releases);

  /** The calling thread took over a heap whose owner had ended. */
  default void adopted() {}

  /**
   * An allocation of the calling thread found no memory. Everything within reach is about to be
   * trimmed, and the allocation to be tried again.
   *
   * @param usedBytes the bytes that the allocator holds
   */
  default void retriedForMemory(long usedBytes) {}
}
