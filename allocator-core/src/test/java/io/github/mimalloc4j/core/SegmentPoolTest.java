package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SegmentPoolTest {

  private static final int SLICE = SizeClasses.SLICE_BYTES;
  private static final int MIN = 512 << 10;
  private static final int MAX = 8 << 20;

  private final TestSource source = new TestSource();
  private final SegmentPool pool = new SegmentPool(source, SegmentSizing.DEFAULT);

  @Test
  void beginsWithTheSmallestSegment() {
    pool.claim(1);
    assertThat(pool.usedBytes()).isEqualTo(MIN).isEqualTo(source.usedBytes());
    assertThat(pool.claimedBytes()).isEqualTo(SLICE);
  }

  @Test
  void growsByAtMostOneEighthOfWhatIsUsed() {
    long before = 0;
    while (pool.usedBytes() < 256 << 20) {
      pool.claim(4);
      long grown = pool.usedBytes() - before;
      assertThat(grown).isLessThanOrEqualTo(Math.min(MAX, Math.max(MIN, before / 8)));
      before = pool.usedBytes();
    }
    assertThat(source.calls()).isLessThan(120);
  }

  @Test
  void aSegmentForLargeRunsHasNoEndThatFitsNone() {
    fill(256 << 20);
    List<Run> runs = new ArrayList<>();
    int slices = (3 << 20) / SLICE;
    long before = pool.usedBytes();
    for (int i = 0; i < 100; i++) {
      runs.add(pool.claim(slices));
    }
    assertThat(pool.usedBytes() - before).isEqualTo(100L * slices * SLICE);
  }

  @Test
  void aRunAboveTheLargestSegmentHasOneToItselfWhileItIsInUse() {
    Run run = pool.claimDedicated(20 << 20);
    assertThat(run.bytes()).isEqualTo(20 << 20);
    assertThat(pool.usedBytes()).isEqualTo(20 << 20).isEqualTo(pool.claimedBytes());
    assertThat(pool.segments()).isEmpty();
    run.release();
    assertThat(pool.usedBytes()).isZero().isEqualTo(source.usedBytes());
  }

  @Test
  void aDedicatedSegmentMayHaveAnySize() {
    for (int bytes : new int[] {MAX + 1, MAX + SLICE - 1, Integer.MAX_VALUE}) {
      Run run = pool.claimDedicated(bytes);
      assertThat(run.bytes()).isEqualTo(bytes);
      assertThat(run.offset()).isZero();
      run.release();
    }
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void releasingEverythingKeepsOneSegmentAtMost() {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      runs.add(pool.claim(64));
    }
    runs.forEach(Run::release);
    assertThat(pool.usedBytes()).isBetween(1L, (long) MAX);
    assertThat(pool.claimedBytes()).isZero();
    assertThat(pool.purge()).isEqualTo(MAX);
    assertThat(source.usedBytes()).isZero();
  }

  @Test
  void aRequestThatComesAndGoesObtainsMemoryOnce() {
    for (int i = 0; i < 1_000; i++) {
      pool.claim(64).release();
    }
    assertThat(source.calls()).isEqualTo(1);
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
    Run run = pool.claim(32);
    assertThatThrownBy(() -> pool.claim(1)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> pool.claimDedicated(MAX + 1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(pool.usedBytes()).isEqualTo(MIN);
    assertThat(pool.claimedBytes()).isEqualTo(MIN);
    run.release();
    assertThat(pool.claim(32).bytes()).isEqualTo(MIN);
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
      small.add(pool.claim(31));
    }
    small.forEach(Run::release);
    assertThat(pool.claim((4 << 20) / SLICE).bytes()).isEqualTo(4 << 20);
  }

  @Test
  void sizesThatAreNoSegmentsAreRefused() {
    assertThatThrownBy(() -> new SegmentSizing(1000, MAX, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("minBytes: 1000");
    assertThatThrownBy(() -> new SegmentSizing(MIN, 0, 8)).hasMessageContaining("maxBytes: 0");
    assertThatThrownBy(() -> new SegmentSizing(MAX, MIN, 8)).hasMessageContaining("at least");
    assertThatThrownBy(() -> new SegmentSizing(MIN, MAX, 0)).hasMessageContaining("growthShare: 0");
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
