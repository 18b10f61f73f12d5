package io.github.mimalloc4j.core.memory;

/** A list with one segment, whose bitmap has two words, and in which a run is claimed. */
final class RacedIndex {

  private static final int SLICES = 2 * Long.SIZE;

  private final SegmentList list = new SegmentList(() -> 0, segment -> {});
  private final Segment segment;
  private final Run held;

  RacedIndex() {
    IndexedSegment indexed = new IndexedSegment(list, () -> {}, SLICES * Slices.BYTES, SLICES);
    list.add(indexed);
    segment = indexed;
    held = list.claim(1);
  }

  void release() {
    held.release();
  }

  void claim() {
    list.claim(2);
  }

  /** Claims slices of both words, or takes back what it has of the first. */
  void claimAcross() {
    segment.claimAt(gap(1), SLICES - 1);
  }

  /** Claims slices of the second word. */
  void claimHigh() {
    segment.claimAt(gap(Long.SIZE), 2);
  }

  /** All slices from one on, as a search saw them. */
  private static long gap(int first) {
    return (long) (SLICES - first) << Integer.SIZE | first;
  }

  /** Whether the index has what the bitmap has. At rest. */
  boolean isRight() {
    try {
      PoolInvariants.checkIndex(list);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }
}
