package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SegmentTest {

  private final AtomicInteger changes = new AtomicInteger();

  @Test
  void claimsInTheSmallestGapThatIsLongEnough() {
    Segment segment = segment(8);
    Run two = claim(segment, 2);
    Run three = claim(segment, 3);
    claim(segment, 1);
    two.release();
    assertThat(claim(segment, 2).first()).isZero();
    three.release();
    assertThat(claim(segment, 1).first()).isEqualTo(6);
    assertThat(claim(segment, 2).first()).isEqualTo(2);
    assertThat(segment.claim(2)).isNull();
    assertThat(claim(segment, 1).first()).isEqualTo(4);
    assertThat(claim(segment, 1).first()).isEqualTo(7);
    assertThat(segment.claim(1)).isNull();
  }

  @Test
  void aGapThatIsClaimedMeanwhileIsNotClaimedAgain() {
    Segment segment = segment(8);
    long gap = segment.smallestGap(3);
    claim(segment, 1);
    assertThat(segment.claimAt(gap, 3)).isNull();
    assertThat(segment.claimedSlices()).isOne();
  }

  @Test
  void aClaimAcrossWordsThatFailsTakesBackWhatItHas() {
    Segment segment = segment(200);
    Run begin = claim(segment, 10);
    long gap = segment.smallestGap(100);
    Run until = claim(segment, 60);
    claim(segment, 5);
    until.release();
    assertThat(segment.claimAt(gap, 100)).isNull();
    assertThat(segment.claimedSlices()).isEqualTo(15);
    assertThat(segment.isClaimed(0, 10)).isTrue();
    assertThat(segment.isClaimed(0, 11)).isFalse();
    assertThat(segment.isClaimed(70, 5)).isTrue();
    assertThat(segment.isClaimed(69, 2)).isFalse();
    begin.release();
    assertThat(claim(segment, 70).first()).isZero();
  }

  @Test
  void claimsAcrossWordsOfTheBitmap() {
    Segment segment = segment(200);
    claim(segment, 50);
    Run across = claim(segment, 100);
    assertThat(across.first()).isEqualTo(50);
    assertThat(segment.isClaimed(50, 100)).isTrue();
    assertThat(segment.claim(51)).isNull();
    assertThat(claim(segment, 50).first()).isEqualTo(150);
    across.release();
    assertThat(segment.claimedSlices()).isEqualTo(100);
    assertThat(claim(segment, 100).first()).isEqualTo(50);
  }

  @Test
  void slicesBeyondTheEndAreNeverClaimed() {
    for (int slices = 1; slices <= 130; slices++) {
      Segment segment = segment(slices);
      assertThat(segment.claim(slices + 1)).isNull();
      assertThat(claim(segment, slices).first()).isZero();
      assertThat(segment.claim(1)).isNull();
      assertThat(segment.claimedSlices()).isEqualTo(slices);
    }
  }

  @Test
  void tellsOfEachClaimAndEachRelease() {
    Segment segment = segment(4);
    Run one = claim(segment, 1);
    Run other = claim(segment, 3);
    assertThat(changes).hasValue(2);
    assertThat(segment.claim(1)).isNull();
    assertThat(changes).hasValue(2);
    one.release();
    assertThat(segment.isEmpty()).isFalse();
    other.release();
    assertThat(changes).hasValue(4);
    assertThat(segment.isEmpty()).isTrue();
  }

  @Test
  void isClaimedWholeOnlyWhileNothingIsInUse() {
    Segment segment = segment(100);
    Run run = claim(segment, 1);
    assertThat(segment.claimWhole()).isFalse();
    run.release();
    assertThat(segment.claimWhole()).isTrue();
    assertThat(segment.claim(1)).isNull();
  }

  @Test
  void keepsTheRunForTheNextClaimOfAsManySlices() {
    Segment segment = segment(8);
    Run run = claim(segment, 2);
    Run.Attachment attachment = new Run.Attachment() {};
    run.attach(attachment);
    run.release();
    assertThat(claim(segment, 2)).isSameAs(run);
    assertThat(run.attachment()).isSameAs(attachment);
    run.release();
    assertThat(claim(segment, 3)).isNotSameAs(run);
  }

  @Test
  void agreesWithASetOfBitsUnderRandomClaims() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Segment segment = segment(1 + random.nextInt(300));
    BitSet model = new BitSet();
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (random.nextInt(5) < 3) {
        int count = 1 + random.nextInt(1 + random.nextInt(40));
        Run run = segment.claim(count);
        int expected = bestFit(model, segment.slices(), count);
        assertThat(run == null ? -1 : run.first()).as("seed %d", seed).isEqualTo(expected);
        if (run != null) {
          model.set(expected, expected + count);
          runs.add(run);
        }
      } else if (!runs.isEmpty()) {
        Run run = runs.remove(random.nextInt(runs.size()));
        model.clear(run.first(), run.first() + run.slices());
        run.release();
      }
      assertThat(segment.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(segment.claimedSlices()).isEqualTo(model.cardinality());
    }
  }

  private static int bestFit(BitSet model, int slices, int count) {
    int best = -1;
    int bestLength = Integer.MAX_VALUE;
    int first = model.nextClearBit(0);
    while (first < slices) {
      int obstacle = model.nextSetBit(first);
      int end = obstacle < 0 ? slices : obstacle;
      if (end - first >= count && end - first < bestLength) {
        best = first;
        bestLength = end - first;
      }
      first = model.nextClearBit(end);
    }
    return best;
  }

  private static Run claim(Segment segment, int slices) {
    return assertNotNullRun(segment.claim(slices));
  }

  private static Run assertNotNullRun(Run run) {
    assertNotNull(run);
    return run;
  }

  private Segment segment(int slices) {
    return new Segment(() -> {}, slices * Slices.BYTES, slices) {
      @Override
      void changed() {
        changes.incrementAndGet();
      }

      @Override
      void runClaimed() {
        changes.incrementAndGet();
      }
    };
  }
}
