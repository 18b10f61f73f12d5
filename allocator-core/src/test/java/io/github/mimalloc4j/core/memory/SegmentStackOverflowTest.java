package io.github.mimalloc4j.core.memory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.DeepStack;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread whose stack ends while it brings the index up to date. */
@Tag("same-without-unsafe")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SegmentStackOverflowTest {

  /** In the first of that many calls, counted from the end of the stack, the stack may end. */
  private static final int CALLS = 200;

  /** Often enough that all of it is compiled. */
  private static final int WARM_UP = 20_000;

  /** Otherwise nobody finds the segment free again: its memory never goes back. */
  @Test
  void aClaimThatCannotTellOfTheLastOneLosesNoFreeSegment() throws Exception {
    cutShort(ClaimedLast::new, ClaimedLast::claimNext).forEach(ClaimedLast::check);
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

  private static IndexedSegment segment(SegmentList list) {
    return new IndexedSegment(list, () -> {}, 8 * Slices.BYTES, 8);
  }

  /** Runs an operation once on each of many objects, where the stack ends. */
  private static <T> List<T> cutShort(Supplier<T> create, Consumer<T> operation) throws Exception {
    List<T> all = new ArrayList<>();
    Deque<T> left = new ArrayDeque<>();
    Runnable before =
        () -> {
          T warm = create.get();
          for (int i = 0; i < WARM_UP; i++) {
            operation.accept(warm);
          }
          left.clear();
          for (int i = 0; i < CALLS; i++) {
            left.add(create.get());
          }
          all.addAll(left);
        };
    Runnable onNext =
        () -> {
          T next = left.poll();
          if (next != null) {
            operation.accept(next);
          }
        };
    assertThat(DeepStack.run(before, onNext)).isPositive();
    return all;
  }

  /** A list with a segment that was free, and of whose claim the index was not told yet. */
  private static final class ClaimedLast {

    private final SegmentList list = new SegmentList(() -> 0, segment -> {});
    private final IndexedSegment segment = segment(list);
    private final Run run;

    ClaimedLast() {
      add(segment, 8).release();
      add(new IndexedSegment(list, () -> {}, 16 * Slices.BYTES, 16), 8); // has the same gap
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

    void check() {
      run.release();
      PoolInvariants.checkIndex(list);
      assertThat(list.lastFree()).isSameAs(segment);
    }
  }
}
