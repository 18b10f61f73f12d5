package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

class SegmentIndexTest {

  private static final int ROW = 5;

  private final SegmentIndex index = new SegmentIndex();
  private final SegmentList list = new SegmentList(() -> 0, segment -> {});

  @Test
  void longerGapsHaveTheSameRowOrALaterOne() {
    int before = SegmentIndex.row(1);
    assertThat(before).isPositive();
    for (int slices = 2; slices <= 1 << 17; slices++) {
      int row = SegmentIndex.row(slices);
      assertThat(row).isBetween(before, before + 1).isLessThan(SegmentIndex.GAP_ROWS);
      if (slices <= 64) {
        assertThat(row).as("a row for each length").isEqualTo(before + 1);
      }
      before = row;
    }
    assertThat(SegmentIndex.row(Slices.count(Integer.MAX_VALUE)))
        .isEqualTo(SegmentIndex.GAP_ROWS - 1);
  }

  @Test
  void aRowOfALongGapSpansAnEighthOfItsLength() {
    for (int slices = 64; slices < 4096; slices++) {
      if (SegmentIndex.row(slices) == SegmentIndex.row(slices + slices / 8 + 1)) {
        throw new AssertionError("a row with both " + slices + " and an eighth more");
      }
    }
  }

  @Test
  void aRunThatIsReleasedAtOnceLeavesTheIndexAsItWas() {
    IndexedSegment one = add(8);
    IndexedSegment other = add(8);
    Run run = list.claim(2);
    assertThat(run.segment()).isSameAs(one);
    assertThat(list.lastFreeBefore(other)).as("not told yet").isSameAs(one);
    run.release();
    PoolInvariants.checkIndex(list);
    assertThat(list.claim(1).segment()).isSameAs(one);
    assertThat(list.claim(8).segment()).as("told by the next claim").isSameAs(other);
    assertThat(list.lastFreeBefore(other)).isNull();
  }

  /** As another thread may do it. */
  @Test
  void aSegmentThatIsPurgedDuringAnUpdateLeavesAllRows() {
    List<IndexedSegment> toPurge = new ArrayList<>();
    IntSupplier purging =
        () -> {
          toPurge.forEach(segment -> assertThat(segment.purge()).isTrue());
          toPurge.clear();
          return 0;
        };
    SegmentList list = new SegmentList(purging, segment -> {});
    IndexedSegment segment = add(list, 8);
    Run run = list.claim(2);
    list.tellLastClaim();
    toPurge.add(segment);
    run.release();
    assertThat(list.segments()).isEmpty();
    for (int row = 1; row <= SegmentIndex.FREE; row++) {
      assertThat(list.index().first(row, 0)).as("row %s", row).isEqualTo(SegmentIndex.NONE);
    }
    assertThat(list.freeBytes()).isZero();
    assertThat(add(list, 8).number()).isZero();
  }

  private IndexedSegment add(int slices) {
    return add(list, slices);
  }

  private static IndexedSegment add(SegmentList list, int slices) {
    IndexedSegment segment = new IndexedSegment(list, () -> {}, slices * Slices.BYTES, slices);
    list.add(segment);
    return segment;
  }

  /** Enough numbers for three levels, which is what 300,000 segments would have. */
  @Test
  void findsWhatASetOfNumbersHas() {
    int segments = 64 * 64 + 1000;
    List<IndexedSegment> added = new ArrayList<>();
    for (int i = 0; i < segments; i++) {
      IndexedSegment segment = new IndexedSegment(list, () -> {}, 0, 0);
      index.add(segment);
      added.add(segment);
      assertThat(segment.number()).isEqualTo(i);
    }
    assertThat(index.end()).isGreaterThanOrEqualTo(segments);
    SplittableRandom random = new SplittableRandom(7);
    BitSet model = new BitSet();
    for (int i = 0; i < 100_000; i++) {
      int number = random.nextInt(1 + random.nextInt(segments));
      if (random.nextInt(40) == 0) { // mostly empty bitmaps at one time, full ones at another
        number = 0;
      }
      IndexNode.Leaf leaf = added.get(number).leaf();
      int place = leaf.place(number);
      if (i / 20_000 % 2 == 0) {
        leaf.set(ROW, 1L << place);
        model.set(number);
      } else {
        assertThat(leaf.clear(ROW, place)).isEqualTo(model.get(number));
        model.clear(number);
      }
      int from = random.nextInt(segments);
      assertThat(index.first(ROW, from)).isEqualTo(model.nextSetBit(from));
      assertThat(index.last(ROW, from)).isEqualTo(model.previousSetBit(from));
      assertThat(index.first(ROW + 1, 0)).isEqualTo(SegmentIndex.NONE);
    }
  }

  @Test
  void theLowestNumberThatIsFreeIsGivenNext() {
    List<IndexedSegment> added = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      added.add(new IndexedSegment(list, () -> {}, 0, 0));
      index.add(added.get(i));
    }
    for (int number : new int[] {150, 7, 70}) {
      IndexNode.Leaf leaf = added.get(number).leaf();
      leaf.segment(leaf.place(number), null);
      SegmentIndex.vacate(leaf, leaf.place(number));
      assertThat(index.get(number)).isNull();
    }
    for (int number : new int[] {7, 70, 150, 200}) {
      IndexedSegment next = new IndexedSegment(list, () -> {}, 0, 0);
      index.add(next);
      assertThat(next.number()).isEqualTo(number);
      assertThat(index.get(number)).isSameAs(next);
    }
  }

  @Test
  void nothingIsFoundBeyondTheEnds() {
    assertThat(index.first(ROW, 0)).isEqualTo(SegmentIndex.NONE);
    assertThat(index.first(ROW, 1 << 20)).isEqualTo(SegmentIndex.NONE);
    assertThat(index.last(ROW, -1)).isEqualTo(SegmentIndex.NONE);
    assertThat(index.last(ROW, Integer.MAX_VALUE)).isEqualTo(SegmentIndex.NONE);
  }
}
