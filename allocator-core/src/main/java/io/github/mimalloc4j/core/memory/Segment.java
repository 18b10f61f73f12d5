package io.github.mimalloc4j.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One piece of memory, divided into slices that are claimed in runs.
 *
 * <pre>
 *   slice    0   1   2   3   4   5   6   7   8 ...
 *          ├───┴───┴───┴───┼───┼───┴───┴───┼───┤
 *            page of 64 KiB  ·   large page  ·
 *   claimed  1   1   1   1   0   1   1   1   0 ...   a bit each
 * </pre>
 *
 * <p>A run is claimed with one compare-and-set for each word of the bitmap that it reaches into, in
 * ascending order. A claimer that meets a claimed bit takes its earlier words back and looks again,
 * so that of two colliding claimers the one that holds the highest disputed word succeeds. Bits are
 * set only by a claim, and cleared only by the claimer. Whoever set a slice's bit has exclusive use
 * of its bytes, and of the entry of {@code runs} at its first slice.
 *
 * <p>Thread-safe and lock-free.
 */
class Segment {

  /**
   * Longer than any gap. A gap is a number: its length in slices, and its first slice in the lower
   * half.
   */
  static final long NO_GAP = Long.MAX_VALUE;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final Memory memory;
  private final int bytes;
  private final int slices;

  /** A bit for each slice, set while it is claimed. Bits beyond the last slice are always set. */
  private final long[] claimed;

  /** The run last claimed, by first slice, for the next claim of as many slices. */
  private final @Nullable Run[] runs;

  /**
   * Divides memory into slices.
   *
   * @param bytes the size of the memory; unless it is a multiple of a slice, the segment can only
   *     be claimed whole
   */
  Segment(Memory memory, int bytes, int slices) {
    this.memory = memory;
    this.bytes = bytes;
    this.slices = slices;
    claimed = new long[(slices + Long.SIZE - 1) / Long.SIZE];
    if (slices % Long.SIZE != 0) {
      claimed[claimed.length - 1] = -1L << slices;
    }
    runs = new Run[slices];
  }

  /**
   * Called after each change of the claimed slices except the claim of a run, by the thread that
   * made the change.
   */
  void changed() {}

  /** Called after a run was claimed, by the thread that claimed it. */
  void runClaimed() {}

  /** Returns whether the segment is for one run, as large as no shared segment may be. */
  boolean isDedicated() {
    return false;
  }

  final Memory memory() {
    return memory;
  }

  final int bytes() {
    return bytes;
  }

  final int slices() {
    return slices;
  }

  /** Returns whether no slice is claimed. Exact at rest. */
  final boolean isEmpty() {
    return nextBit(0, slices, -1L) == slices;
  }

  /** Returns the bytes of a number of slices of this segment. */
  final int bytes(int slices) {
    return slices == this.slices ? bytes : slices * Slices.BYTES;
  }

  /** Claims a run in the smallest gap that is long enough, or returns null. */
  final @Nullable Run claim(int count) {
    for (long gap = smallestGap(count); gap != NO_GAP; gap = smallestGap(count)) {
      Run run = claimAt(gap, count);
      if (run != null) {
        return run;
      }
    }
    return null;
  }

  /**
   * Finds the smallest gap, the first of equal ones, that has room for {@code count} slices. Others
   * may claim it at any time.
   *
   * @return the gap, or {@link #NO_GAP}
   */
  final long smallestGap(int count) {
    long smallest = NO_GAP;
    for (long gap = nextGap(0); gap != NO_GAP; gap = nextGap(gapEnd(gap))) {
      if (gapSlices(gap) >= count && gapSlices(gap) < gapSlices(smallest)) {
        smallest = gap;
      }
    }
    return smallest;
  }

  /** Returns the gap that begins at a slice, or else the first one after it, or {@link #NO_GAP}. */
  final long nextGap(int from) {
    int first = nextBit(from, slices, 0L);
    int end = nextBit(first, slices, -1L);
    return first == slices ? NO_GAP : (long) (end - first) << Integer.SIZE | first;
  }

  /** Returns the length of a gap in slices. */
  static int gapSlices(long gap) {
    return (int) (gap >>> Integer.SIZE);
  }

  /** Returns the slice after a gap. */
  static int gapEnd(long gap) {
    return (int) gap + gapSlices(gap);
  }

  /**
   * Claims the first slices of a gap, or returns null if one of them was claimed meanwhile.
   *
   * @throws OutOfMemoryError if there is no Java heap for a run; nothing has changed then
   * @throws StackOverflowError if there is too little stack; nothing has changed then
   */
  final @Nullable Run claimAt(long gap, int count) {
    StackRoom.requireOwn(); // otherwise there might be too little even to release the slices again
    int first = (int) gap;
    if (!claimBits(first, count)) {
      return null;
    }
    try {
      Run run = run(first, count);
      runClaimed();
      return run;
    } catch (Throwable e) { // of any kind: the slices must not be lost
      release(first, count);
      throw e;
    }
  }

  /**
   * Claims all slices, so that nobody else can get one any more; returns false if one is in use.
   */
  final boolean claimWhole() {
    return claimBits(0, slices);
  }

  /** Clears bits that the caller has set. */
  void release(int first, int count) {
    clearBits(first, count);
    changed();
  }

  /** Returns whether each of the slices is claimed. */
  final boolean isClaimed(int first, int count) {
    return nextBit(first, first + count, 0L) == first + count;
  }

  /** Returns the number of claimed slices according to the bitmap. Exact at rest. */
  final int claimedSlices() {
    int count = 0;
    for (int word = 0; word < claimed.length; word++) {
      count += Long.bitCount(word(word));
    }
    return count - (claimed.length * Long.SIZE - slices);
  }

  private Run run(int first, int count) {
    Run run = runs[first];
    if (run == null || run.slices() != count) {
      run = new Run(this, first, count);
      runs[first] = run; // plain: the next claimer sees it through the bitmap
    }
    return run;
  }

  /**
   * Returns the first slice in {@code from .. to - 1} whose bit is set (if {@code ones} is -1) or
   * clear (if {@code ones} is 0), else {@code to}.
   */
  private int nextBit(int from, int to, long ones) {
    int slice = from;
    while (slice < to) {
      long wanted = ~(word(slice / Long.SIZE) ^ ones) >>> slice;
      if (wanted != 0) {
        return Math.min(slice + Long.numberOfTrailingZeros(wanted), to);
      }
      slice = nextWord(slice);
    }
    return to;
  }

  private boolean claimBits(int first, int count) {
    int end = first + count;
    for (int from = first; from < end; from = nextWord(from)) {
      if (!claimInWord(from, mask(from, end))) {
        if (from > first) { // others may have seen these slices as claimed
          release(first, from - first);
        }
        return false;
      }
    }
    return true;
  }

  private boolean claimInWord(int slice, long mask) {
    int word = slice / Long.SIZE;
    long seen;
    do {
      seen = word(word);
      if ((seen & mask) != 0) {
        return false;
      }
    } while (!WORD.compareAndSet(claimed, word, seen, seen | mask));
    // Pairs with clearBits(): the claimer sees the last use of the bytes and of the run's fields.
    return true;
  }

  private void clearBits(int first, int count) {
    int end = first + count;
    for (int from = first; from < end; from = nextWord(from)) {
      WORD.getAndBitwiseAnd(claimed, from / Long.SIZE, ~mask(from, end));
    }
  }

  private long word(int word) {
    return (long) WORD.getVolatile(claimed, word);
  }

  private static int nextWord(int slice) {
    return (slice / Long.SIZE + 1) * Long.SIZE;
  }

  /** Returns the bits of the slices {@code from .. end - 1} in the word of {@code from}. */
  private static long mask(int from, int end) {
    int count = Math.min(end, nextWord(from)) - from;
    return -1L >>> (Long.SIZE - count) << from;
  }
}
