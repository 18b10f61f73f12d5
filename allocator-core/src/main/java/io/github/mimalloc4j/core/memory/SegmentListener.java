package io.github.mimalloc4j.core.memory;

/**
 * Receives the segments that are obtained and freed. All events are rare.
 *
 * <p>Implementations are thread-safe, throw nothing, and call no method of the allocator that takes
 * or gives back memory: the caller is in the middle of that.
 */
public interface SegmentListener {

  /** Ignores all events. */
  SegmentListener NONE = new SegmentListener() {};

  /**
   * A segment was obtained from the memory source.
   *
   * @param dedicated whether it is for one block that is too large to share a segment
   */
  default void segmentObtained(Memory memory, int bytes, boolean dedicated) {}

  /**
   * A segment is about to be freed; its memory is still there.
   *
   * @param dedicated as for {@link #segmentObtained}
   */
  default void segmentFreed(Memory memory, int bytes, boolean dedicated) {}

  /**
   * Free segments were freed together. Not called if there were none, for those of single blocks,
   * or for those that are freed one by one once the allocator is closed.
   */
  default void purged(int segments, long bytes) {}
}
