package io.github.mimalloc4j.core.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The segments that runs of one kind are claimed in.
 *
 * <p>A run is claimed where it leaves the least: in the smallest gap that it fits into and, of
 * equal ones, in the segment that was obtained first, so that later segments drain when less is in
 * use. (Best fit; see D. E. Knuth, "The Art of Computer Programming", volume 1, section 2.5.)
 *
 * <p>Claiming is lock-free, for any thread. Adding and removing is for who has the pool's lock.
 */
final class SegmentList {

  private final SegmentSizing sizing;

  /** In the order in which they were obtained. Replaced, never changed. */
  private volatile Segment[] segments = {};

  SegmentList(SegmentSizing sizing) {
    this.sizing = sizing;
  }

  /** How large its next segment is. */
  SegmentSizing sizing() {
    return sizing;
  }

  /** Not to be changed. */
  Segment[] segments() {
    return segments;
  }

  /** Claims a run in one of the segments; null if none has room. */
  @Nullable Run claim(int slices) {
    while (true) {
      Segment best = null;
      long bestGap = Segment.NO_GAP;
      for (Segment segment : segments) {
        long gap = segment.smallestGap(slices);
        if (Segment.gapSlices(gap) < Segment.gapSlices(bestGap)) {
          best = segment;
          bestGap = gap;
          if (Segment.gapSlices(gap) == slices) {
            break;
          }
        }
      }
      if (best == null) {
        return null;
      }
      Run run = best.claimAt(bestGap, slices);
      if (run != null) {
        return run;
      }
      // Somebody claimed there meanwhile.
    }
  }

  void add(Segment segment) {
    Segment[] old = segments;
    Segment[] grown = Arrays.copyOf(old, old.length + 1);
    grown[old.length] = segment;
    segments = grown;
  }

  /**
   * Removes a segment unless a slice of it is claimed.
   *
   * @return whether it was removed: then nobody has a run of it or can get one
   * @throws OutOfMemoryError if there is no Java heap for a shorter list; nothing has changed then
   */
  boolean removeIfFree(Segment segment) {
    if (!segment.isEmpty()) {
      return false;
    }
    Segment[] remaining = without(segment);
    if (!segment.claimWhole()) {
      return false;
    }
    segments = remaining;
    return true;
  }

  private Segment[] without(Segment segment) {
    Segment[] remaining = new Segment[segments.length - 1];
    int count = 0;
    for (Segment other : segments) {
      if (other != segment) {
        remaining[count++] = other;
      }
    }
    return remaining;
  }
}
