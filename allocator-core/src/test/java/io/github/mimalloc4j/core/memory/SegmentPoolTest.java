package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentPoolTest {

  private static final int SLICE = Slices.BYTES;
  private static final int MIN = 256 << 10;
  private static final int MAX = 8 << 20;
  private static final long RETAINED = 512 << 10;

  private final TestSource source = new TestSource();
  private final AtomicInteger freed = new AtomicInteger();

  /** What the listener is told of segments that went back together. */
  private final List<String> purged = new ArrayList<>();

  private final SegmentPool pool = pool(Long.MAX_VALUE);

  @Test
  void beginsWithTheSmallestSegment() {
    pool.claim(1);
    assertThat(pool.usedBytes()).isEqualTo(MIN).isEqualTo(source.usedBytes());
    assertThat(pool.claimedBytes()).isEqualTo(SLICE);
  }

  @Test
  void growsByAtMostOneSixteenthOfWhatIsUsed() {
    long before = 0;
    while (pool.usedBytes() < 256 << 20) {
      pool.claim(4);
      long grown = pool.usedBytes() - before;
      assertThat(grown).isLessThanOrEqualTo(Math.min(MAX, Math.max(MIN, before / 16)));
      before = pool.usedBytes();
    }
    assertThat(source.calls()).isLessThan(120);
  }

  @Test
  void aSegmentForLargeRunsHasNoEndThatFitsNone() {
    fill(256 << 20);
    long before = pool.usedBytes();
    for (int i = 0; i < 100; i++) {
      pool.claimLarge(3 << 20);
    }
    assertThat(pool.usedBytes() - before).isEqualTo(100L * (3 << 20));
  }

  @Test
  void largeRunsShareNoSegmentWithPages() {
    Run page = pool.claim(1);
    Run large = pool.claimLarge(200_000);
    assertThat(large.segment()).isNotSameAs(page.segment());
  }

  @Test
  void fewLargeRunsShareASegmentHoweverMuchIsUsed() {
    fill(256 << 20);
    assertThat(pool.claimLarge(200_000).bytes()).isLessThanOrEqualTo(1 << 20);
  }

  @Test
  void aRunIsClaimedInTheSmallestGapThatItFitsInto() {
    List<Run> runs = new ArrayList<>();
    for (int slices : new int[] {5, 1, 3, 1, 4, 1, 3, 1, 13}) {
      runs.add(pool.claim(slices));
    }
    for (int gap : new int[] {0, 2, 4, 6}) { // of 5, 3, 4 and 3 slices
      runs.get(gap).release();
    }
    assertThat(pool.claim(3).first()).isEqualTo(runs.get(2).first());
    assertThat(pool.claim(2).first()).isEqualTo(runs.get(6).first());
    assertThat(pool.claim(4).first()).isEqualTo(runs.get(4).first());
    assertThat(pool.claim(2).first()).isEqualTo(runs.get(0).first());
  }

  @Test
  void aRunAboveTheLargestSegmentHasOneToItselfWhileItIsInUse() {
    Run run = pool.claimLarge(20 << 20);
    assertThat(run.bytes()).isEqualTo(20 << 20);
    assertThat(pool.usedBytes()).isEqualTo(20 << 20).isEqualTo(pool.claimedBytes());
    assertThat(pool.segments()).isEmpty();
    run.release();
    assertThat(pool.usedBytes()).isZero().isEqualTo(source.usedBytes());
  }

  @Test
  void aDedicatedSegmentMayHaveAnySize() {
    for (int bytes : new int[] {MAX + 1, MAX + SLICE - 1, Integer.MAX_VALUE}) {
      Run run = pool.claimLarge(bytes);
      assertThat(run.bytes()).isEqualTo(bytes);
      assertThat(run.offset()).isZero();
      run.release();
    }
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void freeSegmentsWaitForUpkeepWhichKeepsTheRetainedTarget() {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      runs.add(pool.claim(8));
    }
    long used = pool.usedBytes();
    runs.forEach(Run::release);
    assertThat(freed.get()).as("told of free segments").isPositive();
    assertThat(pool.usedBytes()).isEqualTo(used);
    assertThat(pool.claimedBytes()).isZero();
    freed.set(0);
    pool.purgeIdle();
    assertThat(pool.usedBytes()).as("they are young").isEqualTo(used);
    assertThat(freed).as("asked for another round").hasValue(1);
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isBetween(1L, RETAINED).isEqualTo(source.usedBytes());
    assertThat(freed).hasValue(1);
    assertThat(pool.purge()).isBetween(1L, RETAINED);
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void asMuchIsRetainedAsFitsIntoTheTarget() {
    Run large = pool.claimLarge((int) RETAINED);
    Run page = pool.claim(1);
    large.release();
    page.release();
    pool.purgeIdle();
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isEqualTo(RETAINED);
  }

  @Test
  void aSegmentLargerThanTheTargetGoesBeforeOneThatFits() {
    Run large = pool.claimLarge(4 * (int) RETAINED);
    Run page = pool.claim(1);
    large.release();
    page.release();
    pool.purgeIdle();
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isEqualTo(MIN);
  }

  /** The target is 32 slices: 64 go at once, 24 because enough is left, and 16 as the smallest. */
  @Test
  void ofSegmentsThatDoNotAllFitTheSmallestGoes() {
    List<Run> runs =
        List.of(
            pool.claimLarge(64 * SLICE),
            pool.claimLarge(24 * SLICE),
            pool.claimLarge(24 * SLICE),
            pool.claim(1));
    runs.forEach(Run::release);
    pool.purgeIdle();
    assertThat(purged).isEmpty();
    pool.purgeIdle();
    assertThat(purged).containsExactly("3 of 104");
    assertThat(pool.usedBytes()).isEqualTo(24 * SLICE);
  }

  @Test
  void theSmallestOfThoseThatDoNotAllFitGoesInAnyOrder() {
    List<Run> runs =
        List.of(
            pool.claimLarge(22 * SLICE), pool.claimLarge(18 * SLICE), pool.claimLarge(20 * SLICE));
    runs.forEach(Run::release);
    pool.purgeIdle();
    pool.purgeIdle();
    assertThat(purged).containsExactly("2 of 38");
    assertThat(pool.usedBytes()).isEqualTo(22 * SLICE);
  }

  @Test
  void whatIsRetainedDoesNotGoForWhatHasJustBecomeFree() {
    Run large = pool.claimLarge((int) RETAINED);
    Run page = pool.claim(1);
    large.release();
    pool.purgeIdle();
    page.release();
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isEqualTo(RETAINED + MIN);
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isEqualTo(RETAINED);
  }

  /** The index has the segment as free until the look, for a claim is told later. */
  @Test
  void aSegmentThatIsClaimedInIsNotLookedForAnyMore() {
    pool.claimLarge(1 << 20).release();
    Run held = pool.claimLarge(1 << 20);
    freed.set(0);
    pool.purgeIdle();
    pool.purgeIdle();
    assertThat(freed).as("asked for another round").hasValue(0);
    held.release();
    assertThat(freed).as("told of a free segment").hasValue(1);
    pool.purgeIdle();
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isLessThanOrEqualTo(RETAINED);
  }

  @Test
  void theLastRunOfAClosedPoolTakesItsSegmentWithIt() {
    pool.claimLarge(1 << 20).release();
    Run held = pool.claimLarge(1 << 20);
    pool.close();
    assertThat(pool.usedBytes()).isPositive();
    held.release();
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void aSegmentThatWasInUseBetweenTwoLooksStays() {
    Run first = pool.claimLarge(1 << 20);
    first.release();
    Run second = pool.claimLarge(MAX);
    second.release();
    pool.purgeIdle();
    pool.claimLarge(MAX).release();
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isEqualTo(MAX);
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isZero();
  }

  /** Whoever obtains one has no time for a thousand. */
  @Test
  void notMoreGoesBackThanMakesUpForTheSegmentThatIsObtained() {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      runs.add(pool.claimLarge(1 << 20));
    }
    runs.forEach(Run::release);
    long purged = pool.segmentsPurged();
    long used = pool.usedBytes();
    pool.claimLarge(4 << 20);
    assertThat(pool.segmentsPurged() - purged).isEqualTo(4);
    assertThat(pool.usedBytes()).isEqualTo(used);
  }

  @Test
  void segmentsForLargeRunsGrowWithGigabytes() {
    SegmentSizing sizing = SegmentSizing.DEFAULT;
    long gib = 1L << 30;
    assertThat(sizing.segmentSlices(4, true, gib)).isEqualTo((1 << 20) / SLICE);
    assertThat(sizing.segmentSlices(4, true, 4 * gib)).isEqualTo((1 << 20) / SLICE);
    assertThat(sizing.segmentSlices(4, true, 12 * gib)).isEqualTo((3 << 20) / SLICE);
    assertThat(sizing.segmentSlices(4, true, 1024 * gib)).isEqualTo(MAX / SLICE);
  }

  @Test
  void freeSegmentsThatAreTooSmallGoBackBeforeALargerOneIsObtained() {
    leaveFree(200);
    for (int i = 0; i < 25; i++) {
      pool.claimLarge(8 << 20);
    }
    assertThat(source.peakBytes()).isLessThanOrEqualTo((200L << 20) * 33 / 32 + (8 << 20));
  }

  @Test
  void freeSegmentsGoBackBeforeARunGetsASegmentToItself() {
    leaveFree(200);
    for (int i = 0; i < 15; i++) {
      pool.claimLarge(MAX + 1);
    }
    assertThat(source.peakBytes()).isLessThanOrEqualTo((200L << 20) * 33 / 32 + (MAX + 1));
  }

  @Test
  void theListenerIsToldOnceOfWhatACloseGivesBack() {
    Run page = pool.claim(1);
    Run held = pool.claim(20);
    page.release();
    leaveFree(3);
    pool.close();
    assertThat(purged).containsExactly("4 of 208");
    held.release();
    assertThat(purged).hasSize(1);
    assertThat(source.usedBytes()).isZero();
  }

  /** The index has a node above that another thread, which freed a segment, has not reached yet. */
  @Test
  void closeGivesBackWhatASearchWouldMiss() {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i <= IndexNode.WIDTH + 1; i++) {
      runs.add(pool.claimLarge(1 << 20));
    }
    IndexedSegment other = (IndexedSegment) runs.get(IndexNode.WIDTH + 1).segment();
    assertThat(other.number()).isGreaterThan(IndexNode.WIDTH);
    other.leaf().words[SegmentIndex.FREE] |= 1L << (other.number() % IndexNode.WIDTH);
    runs.remove(IndexNode.WIDTH).release();
    pool.close();
    other.leaf().settleAll();
    runs.forEach(Run::release);
    assertThat(pool.usedBytes()).isZero();
    assertThat(source.usedBytes()).isZero();
  }

  /** From 64 slices on, some gaps of a row are too short; there may be many of those. */
  @Test
  void aRunIsClaimedWhereverThereIsRoomThoughMostSegmentsOfItsRowHaveNone() {
    SegmentList list = new SegmentList(() -> 0, segment -> {});
    for (int i = 0; i < 20; i++) {
      addSegment(list, 64);
    }
    IndexedSegment roomy = addSegment(list, 71);
    assertThat(list.claim(71)).isNull();
    assertThat(list.claimAnywhere(71))
        .isNotNull()
        .satisfies(run -> assertThat(run.segment()).isSameAs(roomy));
    assertThat(list.claimAnywhere(71)).isNull();
    PoolInvariants.checkIndex(list);
  }

  private static IndexedSegment addSegment(SegmentList list, int gap) {
    IndexedSegment segment = new IndexedSegment(list, () -> {}, 128 * SLICE, 128);
    segment.claim(128 - gap);
    list.add(segment);
    return segment;
  }

  @Test
  void aRunThatWasReleasedWhileThereWasNoMemoryIsClaimed() {
    List<Run> runs = new ArrayList<>();
    boolean[] fails = {false};
    SegmentPool exhausted =
        new SegmentPool(
            bytes -> {
              if (fails[0]) {
                runs.remove(0).release(); // as another thread may
                throw new OutOfMemoryError("planted");
              }
              return source.allocate(bytes);
            },
            MemoryPolicy.DEFAULT,
            () -> {},
            SegmentListener.NONE);
    runs.add(exhausted.claim(1));
    runs.add(exhausted.claim(1));
    runs.add(exhausted.claim(MIN / SLICE - 2));
    fails[0] = true;
    assertThat(exhausted.claim(1)).isNotNull();
  }

  @Test
  void aRequestThatComesAndGoesObtainsMemoryOnce() {
    for (int i = 0; i < 1_000; i++) {
      pool.claim(64).release();
    }
    assertThat(source.calls()).isEqualTo(1);
  }

  @Test
  void largeBlocksAndPagesByTurnsObtainMemoryOnce() {
    for (int i = 0; i < 1_000; i++) {
      pool.claim(48).release();
      pool.claimLarge(700_000).release();
    }
    assertThat(source.calls()).isEqualTo(1);
    assertThat(pool.usedBytes()).isEqualTo(48 * SLICE).isEqualTo(source.usedBytes());
    assertThat(pool.purge()).isEqualTo(48 * SLICE);
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void whatIsRetainedServesItsOwnKind() {
    Run large = pool.claimLarge((int) RETAINED);
    large.release();
    assertThat(memory(pool.claim(32))).isNotSameAs(memory(large));
    assertThat(memory(pool.claimLarge((int) RETAINED))).isSameAs(memory(large));
  }

  @Test
  void theFreeSegmentOfTheOtherKindNearestToTheWantedSizeIsUsed() {
    Run thirty = pool.claimLarge(30 * SLICE);
    Run twenty = pool.claimLarge(20 * SLICE);
    Run forty = pool.claimLarge(40 * SLICE);
    List.of(thirty, twenty, forty).forEach(Run::release);
    assertThat(memory(pool.claim(19))).isSameAs(memory(twenty));
    assertThat(memory(pool.claim(29))).isSameAs(memory(thirty));
  }

  /** Whoever needs a page has no time to look at a thousand. */
  @ParameterizedTest
  @CsvSource({"15, true", "16, false"})
  void aSearchForASegmentOfTheOtherKindLooksAtTheNewestOnly(int newer, boolean moved) {
    Run large = pool.claimLarge(48 * SLICE);
    List<Run> runs = new ArrayList<>(List.of(large));
    for (int i = 0; i < newer; i++) {
      runs.add(pool.claimLarge(17 * SLICE)); // too small
    }
    runs.forEach(Run::release);
    assertThat(memory(pool.claim(48)) == memory(large)).isEqualTo(moved);
  }

  @ParameterizedTest
  @CsvSource({"23, false", "24, true", "48, true", "49, false"})
  void aSegmentOfAtMostTwiceTheWantedSizeServesPages(int slices, boolean moved) {
    Run large = pool.claimLarge(48 * SLICE);
    large.release();
    assertThat(memory(pool.claim(slices)) == memory(large)).isEqualTo(moved);
  }

  @ParameterizedTest
  @CsvSource({"32, true", "33, false", "42, false", "43, true", "64, true"})
  void aPageSegmentServesLargeBlocksThatLeaveAShortEnd(int slices, boolean moved) {
    Run page = pool.claim(64);
    page.release();
    assertThat(memory(pool.claimLarge(slices * SLICE)) == memory(page)).isEqualTo(moved);
  }

  @Test
  void aSegmentInUseAgainServesNoOtherKind() {
    Run one = pool.claimLarge(40 * SLICE);
    Run other = pool.claimLarge(48 * SLICE);
    one.release();
    other.release();
    assertThat(memory(pool.claimLarge(40 * SLICE))).as("not told yet").isSameAs(memory(one));
    assertThat(memory(pool.claim(40))).isSameAs(memory(other));
  }

  @Test
  void aMovedSegmentGoesBackAsAnyOther() {
    Run large = pool.claimLarge(64 * SLICE);
    large.release();
    Run page = pool.claim(64);
    assertThat(memory(page)).isSameAs(memory(large));
    pool.close();
    assertThat(source.usedBytes()).isEqualTo(64 * SLICE);
    page.release();
    assertThat(source.usedBytes()).isZero().isEqualTo(pool.usedBytes());
  }

  @Test
  void aSegmentInUseIsNotPurged() {
    Run run = pool.claim(1);
    assertThat(pool.purge()).isZero();
    run.release();
    assertThat(pool.purge()).isEqualTo(MIN);
  }

  @Test
  void outOfMemoryChangesNothing() {
    source.limit = MIN;
    Run run = pool.claim(MIN / SLICE);
    assertThatThrownBy(() -> pool.claim(1)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> pool.claimLarge(MAX + 1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(pool.usedBytes()).isEqualTo(MIN);
    assertThat(pool.claimedBytes()).isEqualTo(MIN);
    run.release();
    assertThat(pool.claim(MIN / SLICE).bytes()).isEqualTo(MIN);
  }

  @Test
  void whereNoWholeSegmentIsToBeHadTheRequestAloneIsTried() {
    source.limit = 3 * SLICE;
    assertThat(pool.claim(2).bytes()).isEqualTo(2 * SLICE);
    assertThat(pool.claim(1).bytes()).isEqualTo(SLICE);
    assertThat(pool.usedBytes()).isEqualTo(3 * SLICE);
  }

  @Test
  void freeSegmentsMakeRoomForALargerOne() {
    source.limit = 4 << 20;
    List<Run> small = new ArrayList<>();
    while (pool.usedBytes() + MIN <= source.limit) {
      small.add(pool.claim(1));
      small.add(pool.claim(MIN / SLICE - 1));
    }
    small.forEach(Run::release);
    assertThat(pool.claim((4 << 20) / SLICE).bytes()).isEqualTo(4 << 20);
  }

  @Test
  void theLimitIsKeptAndUsedUp() {
    SegmentPool limited = pool(10 << 20);
    List<Run> runs = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                runs.add(limited.claim(1 + runs.size() % 4));
              }
            })
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("limit is 10485760 bytes");
    assertThat(source.peakBytes()).isBetween((10L << 20) - 4 * SLICE, 10L << 20);
    assertThat(limited.usedBytes()).isEqualTo(source.usedBytes());
    runs.remove(7).release();
    limited.claim(1);
  }

  /** It need not go back to the system, for another one to be zeroed. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void atTheLimitAFreeSegmentOfTheOtherKindIsUsed(boolean largeWasFirst) {
    SegmentPool limited = pool(2 * MIN);
    int slices = MIN / SLICE;
    Run first = largeWasFirst ? limited.claimLarge(MIN) : limited.claim(slices);
    Run second = largeWasFirst ? limited.claim(slices) : limited.claimLarge(MIN);
    first.release();
    Memory memory = memory(first);
    Run third = largeWasFirst ? limited.claim(slices) : limited.claimLarge(MIN);
    assertThat(memory(third)).isSameAs(memory);
    assertThat(limited.segmentsPurged()).isZero();
    assertThat(memory(second)).isNotSameAs(memory);
  }

  @Test
  void atTheLimitPagesAndLargeRunsShareSegments() {
    SegmentPool limited = pool(2 << 20);
    List<Run> pages = new ArrayList<>();
    while (limited.usedBytes() < 2 << 20) {
      pages.add(limited.claim(4));
    }
    pages.remove(0); // keeps its segment
    pages.forEach(Run::release);
    assertThat(limited.claimLarge(1 << 20).bytes()).isEqualTo(1 << 20);
    limited.purge();
    assertThat(limited.claimLarge(400_000).bytes()).isGreaterThanOrEqualTo(400_000);
  }

  @Test
  void aClosedPoolRefusesClaimsAndGivesSegmentsBackWithTheirLastRun() {
    Run page = pool.claim(1);
    Run large = pool.claimLarge(1 << 20);
    Run dedicated = pool.claimLarge(MAX + 1);
    pool.claim(1).release();
    pool.close();
    assertThatThrownBy(() -> pool.claim(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> pool.claimLarge(1)).hasMessageContaining("closed");
    assertThatThrownBy(() -> pool.claimLarge(MAX + 1)).hasMessageContaining("closed");
    for (Run run : List.of(large, dedicated, page)) {
      long before = source.usedBytes();
      run.release();
      assertThat(source.usedBytes()).isLessThan(before).isEqualTo(pool.usedBytes());
    }
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void spareSlicesAreLeftOut() {
    MemoryPolicy policy = new MemoryPolicy(new SegmentSizing(MIN, MAX, 8, 1), Long.MAX_VALUE, 0, 0);
    SegmentPool spared = new SegmentPool(source, policy, () -> {}, SegmentListener.NONE);
    spared.claim(1);
    assertThat(source.usedBytes()).isEqualTo(MIN - SLICE);
  }

  @Test
  void policiesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new MemoryPolicy(SegmentSizing.DEFAULT, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxBytes: 0");
    assertThatThrownBy(() -> new MemoryPolicy(SegmentSizing.DEFAULT, 1, -1, 0))
        .hasMessageContaining("retainedBytes: -1");
    assertThatThrownBy(() -> new MemoryPolicy(SegmentSizing.DEFAULT, 1, 0, -1))
        .hasMessageContaining("trimDelayMillis: -1");
  }

  @Test
  void sizesThatAreNoSegmentsAreRefused() {
    assertThatThrownBy(() -> new SegmentSizing(MIN, MAX, 8, -1))
        .hasMessageContaining("spareSlices: -1");
    assertThatThrownBy(() -> new SegmentSizing(1000, MAX, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("minBytes: 1000");
    assertThatThrownBy(() -> new SegmentSizing(0, MAX, 8)).hasMessageContaining("minBytes: 0");
    assertThatThrownBy(() -> new SegmentSizing(MIN, MAX + 1, 8))
        .hasMessageContaining("maxBytes: " + (MAX + 1));
    assertThatThrownBy(() -> new SegmentSizing(MAX, MIN, 8)).hasMessageContaining("at least");
    assertThatThrownBy(() -> new SegmentSizing(MIN, MAX, 0)).hasMessageContaining("growthShare: 0");
  }

  @Test
  void theSmallestFiguresMakeTheSmallestSegments() {
    assertThat(new SegmentSizing(SLICE, SLICE, 1, 0).segmentSlices(1, false, 100 * SLICE)).isOne();
  }

  @Test
  void aSegmentIsNoMultipleOfRunsOfAnEighth() {
    SegmentSizing sizing = new SegmentSizing(18 * SLICE, 18 * SLICE, 8, 1);
    assertThat(sizing.segmentSlices(2, false, 0)).isEqualTo(17);
    assertThat(sizing.segmentSlices(3, false, 0)).isEqualTo(15);
  }

  private SegmentPool pool(long limit) {
    MemoryPolicy policy = new MemoryPolicy(SegmentSizing.DEFAULT, limit, RETAINED, 1000);
    SegmentListener listener =
        new SegmentListener() {
          @Override
          public void purged(int segments, long bytes) {
            purged.add(segments + " of " + bytes / SLICE);
          }
        };
    return new SegmentPool(source, policy, freed::incrementAndGet, listener);
  }

  private static Memory memory(Run run) {
    return run.segment().memory();
  }

  /** Leaves free segments of 1 MiB. */
  private void leaveFree(int count) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      runs.add(pool.claimLarge(1 << 20));
    }
    runs.forEach(Run::release);
  }

  private void fill(long bytes) {
    while (pool.usedBytes() < bytes) {
      pool.claim(1);
    }
    while (pool.claimExisting(1) != null) {
      continue;
    }
  }
}
