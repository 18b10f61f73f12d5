package io.github.mimalloc4j.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments in which runs of one kind are claimed.
 *
 * <p>A run is claimed where it leaves the least: in the smallest gap that it fits into and, of
 * equal gaps, in the segment with the lowest number, so that the others drain when less is in use.
 * (Best fit; see D. E. Knuth, "The Art of Computer Programming", volume 1, section 2.5.) The {@link
 * SegmentIndex} leads there, so that a claim looks at a few segments only, however many there are.
 * The index is told of a claim when the next claim comes. So a claim whose run is released before
 * that, as often happens with large blocks, costs the index nothing.
 *
 * <p>Thread-safe, and lock-free except where {@link SegmentIndex} is not.
 */
final class SegmentList {

  /** The number of segments that a claim looks at before it gives up. */
  static final int MOST_LOOKS = 64;

  /**
   * The number of those that are in the row of the length itself. For long gaps, some in that row
   * are a little too short.
   */
  private static final int MOST_LOOKS_IN_FIRST_ROW = 16;

  private static final VarHandle LAST;
  private static final VarHandle GROWING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LAST = lookup.findVarHandle(SegmentList.class, "last", IndexedSegment.class);
      GROWING = lookup.findVarHandle(SegmentList.class, "growing", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final IntSupplier purgeRounds;
  private final Consumer<IndexedSegment> whenFree;
  private final SegmentIndex index;
  private final AtomicLong freeBytes = new AtomicLong();

  /** Whether a thread is adding a segment: set by {@link #beginGrowing}, cleared by that thread. */
  volatile boolean growing;

  /**
   * Whether a release, a change of the index, or what is done with a free segment, was cut short
   * and not {@linkplain #mend mended} yet.
   */
  volatile boolean cutShort;

  /** The only segment that may be untold of a claim while no thread is at work on one. */
  private volatile @Nullable IndexedSegment last;

  /**
   * Creates an empty list.
   *
   * @param purgeRounds how often {@link SegmentPool#purgeIdle} has run until now
   * @param whenFree receives each segment that became free, once it can be found; perhaps more than
   *     once
   */
  SegmentList(IntSupplier purgeRounds, Consumer<IndexedSegment> whenFree) {
    this(new SegmentIndex(), purgeRounds, whenFree);
  }

  SegmentList(SegmentIndex index, IntSupplier purgeRounds, Consumer<IndexedSegment> whenFree) {
    this.index = index;
    this.purgeRounds = purgeRounds;
    this.whenFree = whenFree;
  }

  /**
   * Returns the bytes of the segments without a claimed slice. Exact at rest, once the last claim
   * was {@linkplain #tellLastClaim told}.
   */
  long freeBytes() {
    return freeBytes.get();
  }

  /** Claims a run in one of the segments; returns null if none was found that has room. */
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
        // Others wanted the same, and may do so again: continue from a random number.
        number = index.first(row, ThreadLocalRandom.current().nextInt(index.end()));
        if (number == SegmentIndex.NONE) {
          number = index.first(row, 0);
        }
      }
    }
    return null;
  }

  /**
   * Claims a run in any segment that has room, even if the index does not lead there: it looks at
   * all segments, and is for when memory has run out. Returns null if none has room.
   */
  @Nullable Run claimAnywhere(int slices) {
    for (int number = 0; number < index.end(); number++) {
      IndexedSegment segment = index.get(number);
      Run run = segment == null ? null : segment.claim(slices);
      if (run != null) {
        return run;
      }
    }
    return null;
  }

  /**
   * Tells the index of the last claim, and of what was cut short. Called before a search, and
   * before a look for free segments.
   */
  void tellLastClaim() {
    if (cutShort) {
      mend();
    }
    IndexedSegment last = this.last;
    if (last != null) {
      last.tell();
    }
  }

  /**
   * Brings the index up to date with each segment: any may have a change that nobody told, or be
   * free without anybody knowing.
   */
  private void mend() {
    cutShort = false;
    try {
      for (int number = 0; number < index.end(); number++) {
        IndexedSegment segment = index.get(number);
        if (segment != null) {
          segment.changed();
        }
      }
      index.settle();
    } catch (Throwable e) {
      cutShort = true;
      throw e;
    }
  }

  /** Notes that a run was claimed in a segment just now. */
  void claimedLast(IndexedSegment segment) {
    // The mark first: a thread that replaces this segment as the last one then finds the mark.
    segment.markUntold();
    IndexedSegment before = last;
    if (before == segment) {
      return;
    }
    boolean replaced = LAST.compareAndSet(this, before, segment);
    IndexedSegment other = replaced ? before : segment;
    if (other != null) {
      try {
        other.tell();
      } catch (Throwable e) { // perhaps before the change was counted, and nobody else tells it
        cutShort = true;
        throw e;
      }
    }
  }

  /** Forgets a segment that is about to be given back or moved, or that could not be added. */
  void forget(IndexedSegment segment) {
    LAST.compareAndSet(this, segment, null);
  }

  /**
   * Adds a segment of which the caller has claimed the first slices. If it cannot be entered into
   * the rows now, the next search enters it.
   *
   * @throws OutOfMemoryError if there is no Java heap for it; nothing has changed then
   */
  void add(IndexedSegment segment) {
    index.add(segment);
    try {
      segment.changed();
    } catch (Throwable e) { // no stack, perhaps not even for the call
      cutShort = true;
    }
  }

  /** Returns whether the caller alone may now add a segment, until it clears {@link #growing}. */
  boolean beginGrowing() {
    return !growing && GROWING.compareAndSet(this, false, true);
  }

  /** Returns the free segment with the highest number; null if there is none. */
  @Nullable IndexedSegment lastFree() {
    return lastFree(Integer.MAX_VALUE);
  }

  /** Returns the free segment with the highest number below that of the given one. */
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

  /** Returns all segments, by their numbers. */
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

  /** Returns how often {@link SegmentPool#purgeIdle} has run. For segments. */
  int purgeRounds() {
    return purgeRounds.getAsInt();
  }

  /** Adds to the free bytes. For a segment that became free, or in which a run was claimed. */
  void addFree(int bytes) {
    freeBytes.addAndGet(bytes);
  }

  /** Reports that a segment is free. For that segment, once it can be found. */
  void becameFree(IndexedSegment segment) {
    whenFree.accept(segment);
  }

  SegmentIndex index() {
    return index;
  }
}
