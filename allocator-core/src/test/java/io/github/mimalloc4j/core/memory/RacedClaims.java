package io.github.mimalloc4j.core.memory;

/**
 * A list with three segments, in each of which a slice is claimed, the last one in the second. The
 * index was told of all of that.
 */
final class RacedClaims {

  private static final int SLICES = 8;

  private final SegmentList list = new SegmentList(() -> 0, segment -> {});
  private final IndexedSegment first = add();
  private final IndexedSegment second = add();
  private final IndexedSegment third = add();
  private final Run held;

  RacedClaims() {
    claim(first);
    claim(third);
    held = claim(second);
    list.tellLastClaim();
  }

  /** Claims in the segment that was claimed in last. */
  void claimInLast() {
    claim(second);
  }

  /** Claims in another one. */
  void claimInFirst() {
    claim(first);
  }

  /** Claims in yet another one. */
  void claimInThird() {
    claim(third);
  }

  /** Releases the run that was claimed last. */
  void releaseLast() {
    held.release();
  }

  /** Whether the index has what the bitmaps have once the last claim was told. At rest. */
  boolean isRight() {
    return RacedIndex.isRight(list);
  }

  /** Not through the list, which would tell of the claim before. */
  private static Run claim(IndexedSegment segment) {
    return segment.claim(1);
  }

  private IndexedSegment add() {
    IndexedSegment segment = new IndexedSegment(list, () -> {}, SLICES * Slices.BYTES, SLICES);
    list.add(segment);
    return segment;
  }
}
