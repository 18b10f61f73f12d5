package io.github.mimalloc4j.core.memory;

/**
 * What the races see of a {@link SegmentList} with two segments, of which the first has room for
 * one run of a slice and the second is free, with room for two.
 */
public interface SegmentsView {

  int NO_ROOM = -1;

  /** The number of the second segment's first slice. */
  int SECOND = 2;

  /** Claims a slice. Returns its number, or {@link #NO_ROOM}. */
  int claim();

  /** Removes the second segment if it is free. One thread at a time. */
  boolean purge();

  /** The real list. */
  static SegmentsView real() {
    SegmentList list = new SegmentList(SegmentSizing.DEFAULT);
    Segment first = newSegment();
    Segment second = newSegment();
    list.add(first);
    list.add(second);
    list.claim(1);
    return new SegmentsView() {
      @Override
      public int claim() {
        Run run = list.claim(1);
        if (run == null) {
          return NO_ROOM;
        }
        return run.segment() == second ? SECOND + run.first() : run.first();
      }

      @Override
      public boolean purge() {
        return list.removeIfFree(second);
      }
    };
  }

  private static Segment newSegment() {
    return new Segment(() -> {}, SECOND * Slices.BYTES, SECOND, empty -> {});
  }
}
