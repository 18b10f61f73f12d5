package io.github.mimalloc4j.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments that runs of one kind are claimed in.
 *
 * <p>A run is claimed where it leaves the least: in the smallest gap that it fits into and, of
 * equal ones, in the segment with the lowest number, so that the others drain when less is in use.
 * (Best fit; see D. E. Knuth, "The Art of Computer Programming", volume 1, section 2.5.) The {@link
 * SegmentIndex} leads there, so that a claim looks at a few segments only, however many there are.
 * It is told of a claim when the next one comes: one whose run is released before that costs it
 * nothing, as large blocks often are.
 *
 * <p>Thread-safe and lock-free.
 */
final class SegmentList {

  /** How many segments a claim looks at before it gives up. */
  static final int MOST_LOOKS = 64;

  /**
   * How many of them in the row of the length itself, which of long gaps has some that are a little
   * too short.
   */
  private static final int MOST_LOOKS_IN_FIRST_ROW = 16;

  private static final VarHandle LAST;

  static {
    try {
      LAST = MethodHandles.lookup().findVarHandle(SegmentList.class, "last", IndexedSegment.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final IntSupplier looks;
  private final Consumer<IndexedSegment> whenFree;
  private final SegmentIndex index;
  private final AtomicLong freeBytes = new AtomicLong();
  private final AtomicBoolean growing = new AtomicBoolean();

  /** The only segment that may be untold of a claim while no thread is at work on one. */
  private volatile @Nullable IndexedSegment last;

  /**
   * Makes an empty list.
   *
   * @param looks how often free segments were looked for until now
   * @param whenFree is told of each segment that became free, once it can be found
   */
  SegmentList(IntSupplier looks, Consumer<IndexedSegment> whenFree) {
    this(new SegmentIndex(), looks, whenFree);
  }

  SegmentList(SegmentIndex index, IntSupplier looks, Consumer<IndexedSegment> whenFree) {
    this.index = index;
    this.looks = looks;
    this.whenFree = whenFree;
  }

  /**
   * The bytes of the segments of which no slice is claimed. Exact at rest, once the last claim was
   * {@linkplain #tellLastClaim told}.
   */
  long freeBytes() {
    return freeBytes.get();
  }

  /** Claims a run in one of the segments; null if none was found that has room. */
  @Nullable Run claim(int slices) {
    tellLastClaim();
    int first = SegmentIndex.row(slices);
    int left = MOST_LOOKS;
    for (int row = first; row < SegmentIndex.GAP_ROWS && left > 0; row++) {
      int leftInRow = row == first ? MOST_LOOKS_IN_FIRST_ROW : left;
      int number = index.first(row, 0);
      while (number != SegmentIndex.NONE && leftInRow-- > 0) {
        left--;
        IndexedSegment found = index.get(number);
        long gap = found == null ? Segment.NO_GAP : found.smallestGap(slices);
        if (found == null || gap == Segment.NO_GAP) { // it is about to go, or the gap is taken
          number = index.first(row, number + 1);
          continue;
        }
        Run run = found.claimAt(gap, slices);
        if (run != null) {
          return run;
        }
        // Others were after the same, and may be so again: on from anywhere.
        number = index.first(row, ThreadLocalRandom.current().nextInt(index.end()));
        if (number == SegmentIndex.NONE) {
          number = index.first(row, 0);
        }
      }
    }
    return null;
  }

  /** Tells the index of the last claim. Before a search, and before a look for free segments. */
  void tellLastClaim() {
    IndexedSegment last = this.last;
    if (last != null) {
      last.tell();
    }
  }

  /** For a segment in which a run was claimed just now. */
  void claimedLast(IndexedSegment segment) {
    // The mark first: who replaces the segment as the last one finds it so.
    segment.markUntold();
    IndexedSegment before = last;
    if (before == segment) {
      return;
    }
    boolean replaced = LAST.compareAndSet(this, before, segment);
    IndexedSegment other = replaced ? before : segment;
    if (other != null) {
      other.tell();
    }
  }

  /** For a segment that goes. */
  void forget(IndexedSegment segment) {
    LAST.compareAndSet(this, segment, null);
  }

  /**
   * Adds a segment of which the first slices may be claimed already.
   *
   * @throws OutOfMemoryError if there is no Java heap for it; nothing has changed then
   */
  void add(IndexedSegment segment) {
    index.add(segment);
    segment.enterRows();
  }

  /** Whether the caller alone is to add a segment now, until {@link #endGrowing}. */
  boolean beginGrowing() {
    return !growing.get() && growing.compareAndSet(false, true);
  }

  void endGrowing() {
    growing.set(false);
  }

  /** The free segment with the highest number; null if there is none. */
  @Nullable IndexedSegment lastFree() {
    return lastFree(Integer.MAX_VALUE);
  }

  /** The next one that {@link #lastFree()} would lead to if that one were not. */
  @Nullable IndexedSegment lastFreeBefore(IndexedSegment segment) {
    return lastFree(segment.number() - 1);
  }

  private @Nullable IndexedSegment lastFree(int to) {
    int number = index.last(SegmentIndex.FREE, to);
    while (number != SegmentIndex.NONE) {
      IndexedSegment segment = index.get(number);
      if (segment != null) {
        return segment;
      }
      number = index.last(SegmentIndex.FREE, number - 1); // it went meanwhile
    }
    return null;
  }

  /** All segments, by their numbers. */
  List<IndexedSegment> segments() {
    List<IndexedSegment> segments = new ArrayList<>();
    for (int number = 0; number < index.end(); number++) {
      IndexedSegment segment = index.get(number);
      if (segment != null) {
        segments.add(segment);
      }
    }
    return segments;
  }

  /** For a segment: what the pool's looks for free ones count. */
  int looks() {
    return looks.getAsInt();
  }

  /** For a segment that became free, or was claimed in. */
  void addFree(int bytes) {
    freeBytes.addAndGet(bytes);
  }

  /** For a segment that became free, and can be found. */
  void becameFree(IndexedSegment segment) {
    whenFree.accept(segment);
  }

  SegmentIndex index() {
    return index;
  }
}
