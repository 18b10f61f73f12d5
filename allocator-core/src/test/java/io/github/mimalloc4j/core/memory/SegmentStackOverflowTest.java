package io.github.mimalloc4j.core.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.DeepStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread whose stack ends while it brings the index up to date. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SegmentStackOverflowTest {

  /** In the first of that many calls, counted from the end of the stack, an update may fail. */
  private static final int UPDATES = 200;

  /** As above, for giving memory back, which takes more stack. */
  private static final int PURGES = 1000;

  /** More than a release needs, however it is compiled. */
  private static final int FRAMES_OF_RELEASE = 300;

  /** Often enough that all of it is compiled. */
  private static final int WARM_UP = 20_000;

  /** Otherwise nobody finds the segment free again: its memory never goes back. */
  @Test
  void aClaimThatCannotTellOfTheLastOneLosesNoFreeSegment() throws Exception {
    cutShort(UPDATES, new ClaimedLast()::claimNext, ClaimedLast::new, ClaimedLast::claimNext)
        .forEach(ClaimedLast::check);
  }

  /** As above, where the claim succeeded and made its segment the last one. */
  @Test
  void aClaimThatReplacesTheLastOneLosesNoFreeSegment() throws Exception {
    cutShort(UPDATES, new ClaimedLast()::claimInTurns, ClaimedLast::new, ClaimedLast::claimOther)
        .forEach(ClaimedLast::check);
  }

  /** Numbers without a segment are in a row, too, and no segment is there to mend it. */
  @Test
  void whatWasNotSettledIsMended() {
    SegmentList list = new SegmentList(() -> 0, segment -> {});
    List<IndexedSegment> segments = new ArrayList<>();
    for (int i = 0; i < 2 * IndexNode.WIDTH; i++) {
      IndexedSegment segment = segment(list);
      list.add(segment);
      segments.add(segment);
    }
    IndexNode.Leaf leaf = segments.get(IndexNode.WIDTH).leaf();
    assertThat(segments.get(IndexNode.WIDTH).purge()).isTrue();
    int row = rowOf(leaf, segments.get(IndexNode.WIDTH).number());
    requireNonNull(leaf.parent).clear(row, 1);
    assertThat(list.index().first(row, 0)).isEqualTo(IndexNode.NONE);
    list.cutShort = true;
    list.tellLastClaim();
    assertThat(list.index().first(row, 0)).isEqualTo(IndexNode.WIDTH);
  }

  /** The only row that a number is in. */
  private static int rowOf(IndexNode.Leaf leaf, int number) {
    int row = 0;
    while ((leaf.words[row] & 1L << leaf.place(number)) == 0) {
      row++;
    }
    return row;
  }

  /** Otherwise no search finds the segment that has the number now. */
  @Test
  void aLateChangeOfAPurgedSegmentLeavesItsNumberAlone() throws Exception {
    SegmentList list = new SegmentList(() -> 0, segment -> {});
    IndexedSegment purged = segment(list);
    list.add(purged);
    assertThat(purged.purge()).isTrue();
    IndexedSegment next = segment(list);
    list.add(next);
    assertThat(next.number()).isEqualTo(purged.number());
    assertThat(DeepStack.run(() -> {}, purged::changed)).isPositive();
    purged.changed();
    PoolInvariants.checkIndex(list);
  }

  /** Otherwise the memory stays, unless the allocator has upkeep, or another segment gets free. */
  @Test
  void inAClosedPoolTheNextSearchGivesBackWhatAReleaseCouldNot() throws Exception {
    SegmentPool pool = pool(new TestSource());
    cutShort(PURGES, () -> pool.claim(1).release(), InClosedPool::new, InClosedPool::release)
        .forEach(InClosedPool::check);
  }

  /** As above, where the pool cannot even be told. */
  @Test
  void theNextSearchTellsOfAFreeSegment() throws Exception {
    List<IndexedSegment> told = new ArrayList<>();
    boolean[] failing = {true};
    SegmentList list =
        new SegmentList(
            () -> 0,
            segment -> {
              if (failing[0]) {
                throw new StackOverflowError("planted");
              }
              told.add(segment);
            });
    IndexedSegment segment = segment(list);
    Run run = requireNonNull(segment.claim(8));
    list.add(segment);
    assertThatThrownBy(run::release).isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(list::tellLastClaim).isInstanceOf(StackOverflowError.class);
    failing[0] = false;
    list.tellLastClaim();
    assertThat(told).containsExactly(segment);
    PoolInvariants.checkIndex(list);
    list.tellLastClaim();
    assertThat(told).as("told once").hasSize(1);
  }

  private static SegmentPool pool(TestSource source) {
    return new SegmentPool(source, MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
  }

  private static IndexedSegment segment(SegmentList list) {
    return new IndexedSegment(list, () -> {}, 8 * Slices.BYTES, 8);
  }

  /**
   * Runs an operation once on each of many objects, where the stack ends.
   *
   * @param calls the number of objects for each thread
   * @param warmUp does something like it before
   */
  private static <T> List<T> cutShort(
      int calls, Runnable warmUp, Supplier<T> create, Consumer<T> operation) throws Exception {
    List<T> all = new ArrayList<>();
    List<T> left = new ArrayList<>();
    Runnable before =
        () -> {
          for (int i = 0; i < WARM_UP; i++) {
            warmUp.run();
          }
          for (int i = 0; i < calls; i++) {
            left.add(create.get());
          }
          all.addAll(left);
        };
    assertThat(DeepStack.runOnEach(before, left, operation)).isPositive();
    return all;
  }

  /** A list with a segment that was free, and of whose claim the index was not told yet. */
  private static final class ClaimedLast {

    private final SegmentList list = new SegmentList(() -> 0, segment -> {});
    private final IndexedSegment segment = segment(list);
    private final IndexedSegment other = new IndexedSegment(list, () -> {}, 16 * Slices.BYTES, 16);
    private final Run run;

    ClaimedLast() {
      add(segment, 8).release();
      add(other, 8); // has the same gap
      for (int i = 0; i < IndexNode.WIDTH; i++) { // more than one leaf has
        add(segment(list), 8);
      }
      list.tellLastClaim();
      run = requireNonNull(list.claim(8));
      assertThat(run.segment()).isSameAs(segment);
    }

    private static Run add(IndexedSegment segment, int claimed) {
      Run run = requireNonNull(segment.claim(claimed));
      segment.list().add(segment);
      return run;
    }

    void claimNext() {
      assertThat(list.claim(16)).isNull();
    }

    /** In another segment, as a thread does that has searched before the last claim. */
    void claimOther() {
      requireNonNull(other.claim(8));
    }

    /** As above, again and again: each claim replaces the last one. */
    void claimInTurns() {
      requireNonNull(other.claim(8)).release();
      run.release();
      requireNonNull(segment.claim(8)); // the same run
    }

    void check() {
      PoolInvariants.checkIndex(list);
      run.release();
      PoolInvariants.checkIndex(list);
      assertThat(list.lastFree()).isSameAs(segment);
    }
  }

  /**
   * Overflows if there may be too little stack for a release; for giving memory back it takes more.
   */
  private static int descend(int left) {
    return left == 0 ? 0 : descend(left - 1) + 1;
  }

  /** A pool that was closed while it had a run, without upkeep. */
  private static final class InClosedPool {

    private final TestSource source = new TestSource();
    private final SegmentPool pool = pool(source);
    private final Run run = pool.claim(1);

    InClosedPool() {
      pool.close();
    }

    void release() {
      descend(FRAMES_OF_RELEASE);
      run.release();
    }

    void check() {
      if (run.isClaimed()) {
        run.release();
      }
      assertThat(pool.claimExisting(1)).isNull();
      assertThat(source.usedBytes()).isZero();
    }
  }
}
