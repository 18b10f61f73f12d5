package io.github.mimalloc4j.core.memory;

/** A list with one segment, whose bitmap has two words, and in which two runs are claimed. */
final class RacedIndex {

  private static final int SLICES = 2 * Long.SIZE;
  private static final int TAKEN = 3;

  private final SegmentList list = new SegmentList(this::look, segment -> {});
  private final Segment segment;
  private final Run held;
  private final Run other;

  /** Whether the next update fails that finds the segment free. */
  private boolean failing;

  RacedIndex() {
    IndexedSegment indexed = new IndexedSegment(list, () -> {}, SLICES * Slices.BYTES, SLICES);
    list.add(indexed);
    segment = indexed;
    held = list.claim(1);
    other = list.claim(2);
  }

  private int look() {
    if (failing) {
      failing = false; // one update at a time
      throw new IllegalStateException("planted");
    }
    return 0;
  }

  void release() {
    held.release();
  }

  /** Releases the last run. The update of the index fails, whichever thread makes it. */
  void releaseInVain() {
    failing = true;
    tryTo(held::release);
  }

  /** Does what a search does first. */
  void search() {
    tryTo(list::tellLastClaim);
  }

  private static void tryTo(Runnable operation) {
    try {
      operation.run();
    } catch (IllegalStateException e) {
      // planted
    }
  }

  void releaseOther() {
    other.release();
  }

  /** Claims slices of both words, or takes back what it has of the first. */
  void claimAcross() {
    segment.claimAt(gap(TAKEN), SLICES - TAKEN);
  }

  /** Claims slices of the second word, and tells the index of that as the next claim would. */
  void claimHigh() {
    segment.claimAt(gap(Long.SIZE), 2);
    list.tellLastClaim();
  }

  /** All slices from one on, as a search saw them. */
  private static long gap(int first) {
    return (long) (SLICES - first) << Integer.SIZE | first;
  }

  /** Whether the index has what the bitmap has. At rest. */
  boolean isRight() {
    failing = false;
    return isRight(list);
  }

  /** Whether a list's index has what the bitmaps have once the last claim was told. At rest. */
  static boolean isRight(SegmentList list) {
    try {
      PoolInvariants.checkIndex(list);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }
}
