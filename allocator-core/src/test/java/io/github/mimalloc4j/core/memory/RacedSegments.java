package io.github.mimalloc4j.core.memory;

/**
 * A {@link SegmentList} with two segments, of which the first has room for one run of a slice and
 * the second is free, with room for two.
 */
final class RacedSegments {

  static final int NO_ROOM = -1;

  /** The number of the second segment's first slice. */
  static final int SECOND = 2;

  private final SegmentList list = new SegmentList(() -> 0, segment -> {});
  private final IndexedSegment second = newSegment();

  RacedSegments() {
    list.add(newSegment());
    list.add(second);
    list.claim(1);
  }

  /** Claims a slice. Returns its number, or {@link #NO_ROOM}. */
  int claim() {
    Run run = list.claim(1);
    if (run == null) {
      return NO_ROOM;
    }
    return run.segment() == second ? SECOND + run.first() : run.first();
  }

  /** Removes the second segment if it is free. */
  boolean purge() {
    return second.purge();
  }

  private IndexedSegment newSegment() {
    return new IndexedSegment(list, () -> {}, SECOND * Slices.BYTES, SECOND);
  }
}
