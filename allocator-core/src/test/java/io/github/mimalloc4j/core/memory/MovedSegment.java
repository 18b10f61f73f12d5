package io.github.mimalloc4j.core.memory;

import org.jspecify.annotations.Nullable;

/** A pool whose only segment is free, and serves a page and a large block. */
final class MovedSegment {

  private static final int BYTES = 1 << 20; // more than is retained

  private final SegmentPool pool =
      new SegmentPool(
          bytes -> new NoMemory(), MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
  private @Nullable Run page;
  private @Nullable Run large;

  MovedSegment() {
    pool.claimLarge(BYTES).release();
  }

  /** Claims a whole segment for a page: the moved one if that is free. */
  void claimPage() {
    page = pool.claim(Slices.count(BYTES));
  }

  /** Claims a whole segment for a large block. */
  void claimLarge() {
    large = pool.claimLarge(BYTES);
  }

  /** Returns whether the runs have memory of their own, and the pool knows it all. */
  boolean isSound() {
    return page != null
        && large != null
        && page.segment().memory() != large.segment().memory()
        && pool.claimedBytes() == 2 * BYTES
        && pool.usedBytes() == 2 * BYTES
        && pool.segments().size() == 2;
  }

  /** Has an identity, unlike a lambda expression. */
  private static final class NoMemory implements Memory {
    @Override
    public void free() {}
  }
}
