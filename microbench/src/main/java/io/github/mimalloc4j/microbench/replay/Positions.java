package io.github.mimalloc4j.microbench.replay;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How far each lane is, as the number of its next operation in the order of the recording. No lane
 * goes further ahead than {@link #WINDOW} operations, so that what is live at the same time is what
 * was live at the same time.
 *
 * <p>It cannot come to a standstill: a lane waits for operations with lower numbers than its own
 * only, tells its position before it waits, and the one with the lowest number waits for nobody.
 */
final class Positions {
  static final int WINDOW = 1 << 12;

  /** Two cache lines, since processors fetch them in pairs. */
  private static final int STRIDE = 16;

  private final AtomicLongArray next;
  private final int lanes;

  Positions(int lanes) {
    this.lanes = lanes;
    next = new AtomicLongArray(lanes * STRIDE);
  }

  /** Tells that all of a lane's operations before this one are done. */
  void set(int lane, long number) {
    next.setRelease(lane * STRIDE, number);
  }

  /** The position of the lane that is behind all others. */
  long last() {
    long last = Long.MAX_VALUE;
    for (int lane = 0; lane < lanes; lane++) {
      last = Math.min(last, next.getAcquire(lane * STRIDE));
    }
    return last;
  }
}
