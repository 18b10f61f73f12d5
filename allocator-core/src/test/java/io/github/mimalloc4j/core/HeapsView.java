package io.github.mimalloc4j.core;

/**
 * What the races see of {@link BlockAllocator} with one shared heap and at most one owned one, so
 * that a broken one can take its place.
 */
public interface HeapsView {

  /** Takes a block as a thread that owns no heap and releases it; false if it was refused. */
  boolean use();

  /** Takes a block for {@link #releaseKept}. */
  void keep();

  /** Releases the block that was kept. Any thread. */
  void releaseKept();

  /** Makes the caller the owner of a heap; false if it was refused. */
  boolean acquire();

  /** Ends the ownership of the heap that was acquired. */
  void abandon();

  /** Whether a known heap has an owner. It has none, too, if the owner was found dead. */
  boolean hasOwner();

  /**
   * Whether the heap acquired last is not known, so that it will be left with its owner for ever.
   */
  boolean isOwnerForgotten();

  /** Whether an owner was told to look whether the allocator was closed. */
  boolean isOwnerTold();

  /** Trims what nobody owns. */
  void trim();

  /** Runs the upkeep of what nobody owns if it was asked for; returns whether it was. */
  boolean runUpkeep();

  void close();

  /** Whether all memory went back to its source. */
  boolean isNothingUsed();
}
