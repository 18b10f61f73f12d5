package io.github.mimalloc4j.core.memory;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a {@link SegmentList}, and what the index records about it.
 *
 * <p>A thread that changes the segment's bitmap calls {@link #changed()} afterwards. One thread at
 * a time brings the index up to date; a thread that comes meanwhile leaves its change to that
 * thread, which then looks once more. A claim does so only when the list {@linkplain
 * SegmentList#tellLastClaim wants it}: until then the segment is untold. So at rest the index has
 * the last state of the bitmap, except for one untold segment. (S4 and S7 in {@code
 * docs/synchronization.md}.)
 */
final class IndexedSegment extends Segment {

  /** The row of free segments, as a bit of the rows from the 64th on. */
  private static final long FREE = 1L << (SegmentIndex.FREE - Long.SIZE);

  /** All rows from the 64th on that a segment can be in: those of gaps, and the last one. */
  private static final long HIGH_ROWS = FREE | (FREE - 1);

  private static final VarHandle CHANGES;
  private static final VarHandle UNTOLD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CHANGES = lookup.findVarHandle(IndexedSegment.class, "changes", int.class);
      UNTOLD = lookup.findVarHandle(IndexedSegment.class, "untold", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SegmentList list;

  /**
   * Where the segment is in the index; null before it was added. Set once, before anybody can find
   * it there.
   */
  private IndexNode.@Nullable Leaf leaf;

  private int place;

  /**
   * How many changes were told and are not in the index yet. Whoever made the first one brings the
   * index up to date. Until the segment is {@link #entered}, this is not 0, so that nobody does.
   */
  private volatile int changes = 1;

  /** Whether a run was claimed and the index was not told. */
  private volatile boolean untold;

  /** Whether the segment was claimed whole, to be given back or moved. Never reset. */
  private volatile boolean purged;

  /**
   * What the index records about the segment, here and in the fields below. Only for the thread
   * that updates the index.
   */
  private long lowRows;

  private long highRows;

  /** Whether the list's free bytes include this segment. */
  private boolean inFree;

  private boolean vacated;

  /** Whether the last update did not complete, so that the segment may be in any row. */
  private boolean unsure;

  /** The number of purge rounds when the last update found it free. A hint for other threads. */
  private volatile int freeSince;

  /** Divides memory into slices: see {@link Segment}. */
  IndexedSegment(SegmentList list, Memory memory, int bytes, int slices) {
    super(memory, bytes, slices);
    this.list = list;
  }

  SegmentList list() {
    return list;
  }

  /** Returns the number in the index. */
  int number() {
    return leaf().base + place;
  }

  /**
   * Returns how often {@link SegmentPool#purgeIdle} had run when this segment became free, or a
   * little later.
   */
  int freeSince() {
    return freeSince;
  }

  /**
   * Sets the segment's place in the index, before the segment is there. The first call of {@link
   * #changed} must follow, also for what others told until now.
   */
  void entered(IndexNode.Leaf leaf, int place) {
    this.leaf = leaf;
    this.place = place;
    changes = 0;
  }

  /**
   * Claims the segment whole if it is free, and takes it out of the index.
   *
   * @return whether that was done; if so, nobody has a run of it or can get one
   * @throws StackOverflowError if there is not enough stack for this and for giving the memory
   *     back; nothing has changed then
   */
  boolean purge() {
    if (!isEmpty()) {
      return false;
    }
    StackRoom.require();
    if (!claimWhole()) {
      return false;
    }
    purged = true;
    changed();
    list.forget(this);
    return true;
  }

  @Override
  void release(int first, int count) {
    try {
      super.release(first, count);
    } catch (Throwable e) { // perhaps before the change was counted
      list.cutShort = true;
      throw e;
    }
  }

  @Override
  void runClaimed() {
    list.claimedLast(this);
  }

  /** Notes that the index was not told of a claim. */
  void markUntold() {
    untold = true;
  }

  /** Tells the index of claims that it was not told of. */
  void tell() {
    if (untold) {
      changed();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>If this throws once it has counted the change, the next search {@linkplain
   * SegmentList#cutShort makes up} for it.
   */
  @Override
  void changed() {
    if ((int) CHANGES.getAndAdd(this, 1) == 0) {
      boolean free;
      try {
        free = update();
      } catch (Throwable e) { // others may have left their changes to this thread
        unsure = true;
        changes = 0;
        list.cutShort = true;
        throw e;
      }
      if (free) { // not before: what follows may change the segment again, or throw
        try {
          list.becameFree(this);
        } catch (Throwable e) { // perhaps nobody was told: the next search reports it again
          list.cutShort = true;
          throw e;
        }
      }
    }
  }

  /**
   * Brings the index up to date, until no change is left. For the thread that made the first
   * change.
   *
   * @return whether the segment was found free
   */
  private boolean update() {
    boolean free = false;
    int seen = 1;
    while (seen != 0) {
      free |= updateOnce();
      seen = (int) CHANGES.getAndAdd(this, -seen) - seen;
    }
    return free;
  }

  private boolean updateOnce() {
    if (vacated) { // another segment may have the number
      return false;
    }
    boolean gone = purged; // once: if it is purged after this, the next update vacates the number
    long low = 0;
    long high = 0;
    boolean free = false;
    if (untold) { // before the bitmap is read: a later claim marks the segment again
      UNTOLD.getAndSet(this, false);
    }
    if (!gone) {
      for (long gap = nextGap(0); gap != Segment.NO_GAP; gap = nextGap(Segment.gapEnd(gap))) {
        int row = SegmentIndex.row(Segment.gapSlices(gap));
        free = Segment.gapSlices(gap) == slices();
        if (row < Long.SIZE) {
          low |= 1L << row;
        } else {
          high |= 1L << row;
        }
      }
    }
    if (free) {
      high |= FREE;
      freeSince = list.purgeRounds();
    }
    long knownLow = unsure ? 0 : lowRows;
    long knownHigh = unsure ? 0 : highRows;
    long leftLow = (unsure ? -1 : lowRows) & ~low;
    long leftHigh = (unsure ? HIGH_ROWS : highRows) & ~high;
    // New rows first: a search meanwhile may find the segment twice, but does not miss it.
    enter(low & ~knownLow, 0);
    enter(high & ~knownHigh, Long.SIZE);
    leave(leftLow, 0);
    leave(leftHigh, Long.SIZE);
    lowRows = low;
    highRows = high;
    if (free != inFree) {
      list.addFree(free ? bytes() : -bytes()); // nothing between this and the note can fail
      inFree = free;
    }
    unsure = false;
    if (gone) {
      StackRoom.requireOwn(); // no search would find what to repeat
      leaf().segment(place, null);
      vacated = true;
      SegmentIndex.vacate(leaf(), place);
    }
    return free;
  }

  private void enter(long rows, int firstRow) {
    for (long left = rows; left != 0; left &= left - 1) {
      leaf().set(firstRow + Long.numberOfTrailingZeros(left), 1L << place);
    }
  }

  private void leave(long rows, int firstRow) {
    for (long left = rows; left != 0; left &= left - 1) {
      leaf().clear(firstRow + Long.numberOfTrailingZeros(left), place);
    }
  }

  IndexNode.Leaf leaf() {
    return requireNonNull(leaf);
  }
}
