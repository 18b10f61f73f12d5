package io.github.mimalloc4j.core.heap;

/**
 * An object that is bound to a slot of a {@link Page} and handed out with its bytes. It keeps the
 * state of the slot: in use, free, or free and on the deferred list.
 */
public interface Block {

  /**
   * Turns "in use" with one reference into "free". {@link Heap#releaseIfBiased} calls this under
   * the heap's lock. If it throws, the block stays in use.
   *
   * @param page the page in which the caller knows the block
   * @param slot the slot in which the caller knows the block
   * @return false, with nothing changed, if the block is in another state or place because it was
   *     released twice
   */
  boolean free(Page<?> page, int slot);

  /**
   * Turns "free, deferred" into "free". The holder of the page's heap calls this for each block
   * that it finds on the deferred list.
   *
   * @param page the page in which the block was found
   * @param slot the slot in which it was found
   * @return false, with nothing changed, if the block is in another state because it was released
   *     twice, or has left that place meanwhile
   */
  boolean reclaim(Page<?> page, int slot);

  /**
   * Returns whether the block is "free, deferred" in the given place. Any thread.
   *
   * @param page the page in which the block was found
   * @param slot the slot in which it was found
   */
  boolean isDeferred(Page<?> page, int slot);

  /**
   * Drops the references to the memory. Called for memory that {@linkplain
   * io.github.mimalloc4j.core.memory.Memory#isFreedByCollector only a garbage collection frees},
   * when the page is given back. So a program that still refers to a buffer that it has released
   * does not keep the memory reachable. Nobody uses the block again, unless {@link #recallMemory}
   * is called before.
   */
  default void forgetMemory() {}

  /** Takes the references to the memory again, which {@link #forgetMemory} has dropped. */
  default void recallMemory() {}
}
