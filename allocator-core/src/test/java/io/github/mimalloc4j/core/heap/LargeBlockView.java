package io.github.mimalloc4j.core.heap;

/**
 * What the race sees of {@link LargePages} with room for one block and a half, so that a broken one
 * can take its place.
 */
public interface LargeBlockView {

  /** Writes to the block and releases it. */
  void useAndRelease();

  /** Takes a block of the same size: whether it is the same one, or else has other slices. */
  boolean takeAnother();

  /** Whether the last use was over when the block was taken again. */
  boolean isUseOver();
}
