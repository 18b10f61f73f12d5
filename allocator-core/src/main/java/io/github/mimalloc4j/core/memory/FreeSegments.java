package io.github.mimalloc4j.core.memory;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a {@link SegmentPool} of which no slice is claimed: decides which of them go back
 * to the source, and which serve the other kind of runs.
 *
 * <p>Thread-safe. Allocates nothing: there may be no Java heap.
 */
final class FreeSegments {

  /** The number of free segments that a thread looks at to find one of a suitable size. */
  private static final int MOST_LOOKS = 16;

  /** A segment serves the other kind if it has at most this many times the wanted slices. */
  private static final int MOST_TIMES_WANTED = 2;

  /**
   * A segment that is to serve large blocks of one length leaves at most one part in this many of
   * that length unused.
   */
  private static final int END_SHARE = 2;

  private final SegmentList pageSegments;
  private final SegmentList largeSegments;
  private final SegmentList[] lists;
  private final SegmentListener listener;
  private final Consumer<IndexedSegment> giveBack;

  /**
   * Creates a view of the free segments of two lists.
   *
   * @param listener is told how much was given back
   * @param giveBack receives the segments that were taken out of their list to be given back
   */
  FreeSegments(
      SegmentList pageSegments,
      SegmentList largeSegments,
      SegmentListener listener,
      Consumer<IndexedSegment> giveBack) {
    this.pageSegments = pageSegments;
    this.largeSegments = largeSegments;
    lists = new SegmentList[] {largeSegments, pageSegments};
    this.listener = listener;
    this.giveBack = giveBack;
  }

  /** Returns the bytes of all free segments. Exact at rest, once the last claims were told. */
  long bytes() {
    return pageSegments.freeBytes() + largeSegments.freeBytes();
  }

  /**
   * Takes a free segment out of its list, to serve runs of the other kind: of the few that it looks
   * at, as a thread is waiting, the one whose size is nearest to the wanted one.
   *
   * @param slices the slices that it must have
   * @param wanted the slices that a new segment would have
   * @return the segment, which the caller alone has now; null if none was found, or that one was
   *     claimed meanwhile
   */
  @Nullable IndexedSegment take(SegmentList list, int slices, int wanted) {
    list.tellLastClaim();
    IndexedSegment nearest = null;
    IndexedSegment next = list.lastFree();
    for (int looks = 0; next != null && looks < MOST_LOOKS; looks++) {
      int size = next.slices();
      if (size >= slices
          && size <= MOST_TIMES_WANTED * wanted
          // Pages have many lengths, so that they use the whole segment.
          && (list == largeSegments || size % slices <= slices / END_SHARE)
          && (nearest == null || Math.abs(size - wanted) < Math.abs(nearest.slices() - wanted))) {
        nearest = next;
      }
      next = list.lastFreeBefore(next);
    }
    return nearest != null && nearest.purge() ? nearest : null;
  }

  /**
   * Gives free segments back until at most {@code keptBytes} of free bytes remain.
   *
   * @param mostBytes stops once at least this many bytes were given back
   * @return the bytes given back
   */
  long purgeBeyond(long keptBytes, long mostBytes) {
    int count = 0;
    long bytes = 0;
    IndexedSegment segment = next(null);
    while (segment != null && bytes() > keptBytes && bytes < mostBytes) {
      if (purge(segment)) {
        count++;
        bytes += segment.bytes();
      }
      segment = next(segment);
    }
    report(count, bytes);
    return bytes;
  }

  /** Gives back all free segments, even those that a search would not find yet. */
  void purgeAll() {
    int count = 0;
    long bytes = 0;
    for (SegmentList list : lists) {
      SegmentIndex index = list.index();
      for (int number = 0; number < index.end(); number++) {
        IndexedSegment segment = index.get(number);
        if (segment != null && purge(segment)) {
          count++;
          bytes += segment.bytes();
        }
      }
    }
    report(count, bytes);
  }

  /**
   * Gives back segments that were already free in a round, until at most {@code keptBytes} of them
   * remain. Segments larger than {@code keptBytes} go first, since none of them may stay. Of the
   * rest, each goes whose return leaves at least {@code keptBytes}; if more still remains, the
   * smallest of the others goes too.
   *
   * @param round the number of rounds before that one, as {@link IndexedSegment#freeSince} counts
   *     them
   */
  void purgeIdleBeyond(long keptBytes, int round) {
    int count = 0;
    long bytes = 0;
    long left = 0;
    IndexedSegment segment;
    for (segment = next(null); segment != null; segment = next(segment)) {
      if (!isIdle(segment, round)) {
        continue;
      }
      if (segment.bytes() <= keptBytes) {
        left += segment.bytes();
      } else if (purge(segment)) {
        count++;
        bytes += segment.bytes();
      }
    }
    IndexedSegment smallest = null;
    for (segment = next(null); segment != null && left > keptBytes; segment = next(segment)) {
      if (!isIdle(segment, round) || segment.bytes() > keptBytes) {
        continue;
      }
      if (left - segment.bytes() < keptBytes) {
        smallest = smallest == null || segment.bytes() < smallest.bytes() ? segment : smallest;
      } else if (purge(segment)) {
        left -= segment.bytes();
        count++;
        bytes += segment.bytes();
      }
    }
    if (left > keptBytes && smallest != null && purge(smallest)) {
      count++;
      bytes += smallest.bytes();
    }
    report(count, bytes);
  }

  /** Returns whether a free segment was already free in a round. */
  private static boolean isIdle(IndexedSegment segment, int round) {
    return segment.freeSince() - round <= 0;
  }

  /** Gives a segment back if it is free, and returns whether it was. */
  boolean purge(IndexedSegment segment) {
    boolean free = segment.purge();
    if (free) {
      giveBack.accept(segment);
    }
    return free;
  }

  private void report(int count, long bytes) {
    if (count > 0) {
      listener.purged(count, bytes);
    }
  }

  /**
   * Returns the free segment after the given one, or the first one: those for large runs and the
   * newest come first.
   */
  private @Nullable IndexedSegment next(@Nullable IndexedSegment after) {
    SegmentList list = after == null ? largeSegments : after.list();
    IndexedSegment next = after == null ? list.lastFree() : list.lastFreeBefore(after);
    return next == null && list == largeSegments ? pageSegments.lastFree() : next;
  }
}
