package io.github.mimalloc4j.microbench.trace;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts sizes, lifetimes, and what is live over time. */
final class Histograms {
  /** Points in time for which the live bytes are kept; more than a screen shows. */
  static final int MOMENTS = 500;

  private static final int LIFETIMES = Long.SIZE;

  private final Map<Integer, Long> sizes = new TreeMap<>();
  private final long[] own = new long[LIFETIMES];
  private final long[] others = new long[LIFETIMES];
  private final double nanosPerMoment;
  private final long[] peaks = new long[MOMENTS];
  private int moment;
  private long live;
  private long liveOnHeap;
  private long peakOnHeap;

  /** For a recording of so many nanoseconds. */
  Histograms(long nanos) {
    nanosPerMoment = Math.max(1, nanos) / (double) MOMENTS;
  }

  void block(int size) {
    sizes.merge(size, 1L, Long::sum);
  }

  void lifetime(long nanos, boolean byOther) {
    (byOther ? others : own)[LIFETIMES - Long.numberOfLeadingZeros(Math.max(0, nanos) | 1) - 1]++;
  }

  /**
   * Changes the bytes that are live; in the order of time.
   *
   * @param nanos since the recording began
   * @param direct whether they are not of the Java heap
   */
  void live(long nanos, long change, boolean direct) {
    int now = (int) Math.min(MOMENTS - 1, Math.max(0, nanos / nanosPerMoment));
    while (moment < now) {
      peaks[++moment] = live;
    }
    live += change;
    peaks[moment] = Math.max(peaks[moment], live);
    if (!direct) {
      liveOnHeap += change;
      peakOnHeap = Math.max(peakOnHeap, liveOnHeap);
    }
  }

  /** The most bytes of the Java heap that were live at the same time. */
  long peakOnHeap() {
    return peakOnHeap;
  }

  Map<Integer, Long> sizes() {
    return sizes;
  }

  /** How many lived from 2^i ns up to 2^(i+1), i being the index. */
  List<Long> lifetimes(boolean byOther) {
    return Arrays.stream(byOther ? others : own).boxed().toList();
  }

  /** The most bytes that were live in each moment. */
  List<Long> liveBytes() {
    while (moment < MOMENTS - 1) {
      peaks[++moment] = live;
    }
    return Arrays.stream(peaks).boxed().toList();
  }
}
