package io.github.mimalloc4j.core.memory;

import java.util.BitSet;
import java.util.IdentityHashMap;

/**
 * The invariants of a pool and its segments, which hold whenever no thread is inside the allocator.
 * First, the runs of heaps are {@linkplain #addRun added}; then, the segments are {@linkplain
 * #check checked}.
 */
public final class PoolInvariants {

  private final SegmentPool pool;
  private final IdentityHashMap<Segment, BitSet> slices = new IdentityHashMap<>();

  /** Begins with the segments that the pool has now. */
  public PoolInvariants(SegmentPool pool) {
    this.pool = pool;
    for (Segment segment : pool.segments()) {
      slices.put(segment, new BitSet());
    }
  }

  /**
   * Records the run of a page.
   *
   * @throws AssertionError if the run is not claimed, or overlaps with another
   */
  public void addRun(Run run) {
    BitSet taken = taken(run.segment());
    int end = run.first() + run.slices();
    require(run.isClaimed(), "a page's slices are not claimed");
    int next = taken.nextSetBit(run.first());
    require(next < 0 || next >= end, "two pages overlap");
    taken.set(run.first(), end);
  }

  /**
   * Checks the segments.
   *
   * @throws AssertionError if an invariant does not hold
   */
  public void check() {
    for (SegmentList list : pool.lists()) {
      checkIndex(list);
    }
    for (Segment segment : pool.segments()) {
      require(
          taken(segment).cardinality() <= segment.claimedSlices(),
          "pages have more slices than claimed");
    }
    require(pool.usedBytes() >= pool.claimedBytes(), "more bytes claimed than used");
  }

  /** Checks that a search finds each segment by each gap that it has, and by no other. */
  static void checkIndex(SegmentList list) {
    list.tellLastClaim();
    long free = 0;
    for (IndexedSegment segment : list.segments()) {
      BitSet rows = new BitSet();
      for (long gap = segment.nextGap(0);
          gap != Segment.NO_GAP;
          gap = segment.nextGap(Segment.gapEnd(gap))) {
        rows.set(SegmentIndex.row(Segment.gapSlices(gap)));
      }
      rows.set(SegmentIndex.FREE, segment.isEmpty());
      for (int row = 1; row <= SegmentIndex.FREE; row++) {
        int found = list.index().first(row, segment.number());
        require(rows.get(row) == (found == segment.number()), "the index is wrong about a segment");
      }
      free += segment.isEmpty() ? segment.bytes() : 0;
    }
    require(free == list.freeBytes(), "free bytes are counted wrong");
  }

  private BitSet taken(Segment segment) {
    BitSet taken = slices.get(segment);
    if (taken == null) {
      throw new AssertionError("a page lies in a segment that the pool does not have");
    }
    return taken;
  }

  /** Throws an {@link AssertionError} with the message unless the condition holds. */
  public static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
