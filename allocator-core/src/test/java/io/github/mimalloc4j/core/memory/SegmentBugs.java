package io.github.mimalloc4j.core.memory;

import java.util.concurrent.atomic.AtomicInteger;

/** Segments and their pool with a planted bug. */
public final class SegmentBugs {

  private SegmentBugs() {}

  /** A segment that is found free is removed from the list without being claimed. */
  public static SegmentsView removesWithoutClaim() {
    return new SegmentsView() {
      private static final int FULL = 2;

      private final AtomicInteger claimedOfFirst = new AtomicInteger(1);
      private final AtomicInteger claimedOfSecond = new AtomicInteger();
      private volatile boolean listed = true;

      @Override
      public int claim() {
        boolean secondListed = listed;
        int slice = claim(claimedOfFirst);
        if (slice == NO_ROOM && secondListed) {
          slice = claim(claimedOfSecond);
          return slice == NO_ROOM ? NO_ROOM : SECOND + slice;
        }
        return slice;
      }

      @Override
      public boolean purge() {
        boolean free = claimedOfSecond.get() == 0;
        if (free) {
          listed = false;
        }
        return free;
      }

      private int claim(AtomicInteger claimed) {
        int slice = claimed.getAndUpdate(count -> Math.min(count + 1, FULL));
        return slice == FULL ? NO_ROOM : slice;
      }
    };
  }

  /** A closing pool gives back what is free, and then says that it is closed. */
  public static PoolView purgesBeforeItCloses() {
    return new PoolView() {
      private final AtomicInteger claimed = new AtomicInteger(1);
      private volatile boolean closed;
      private volatile boolean purged;

      @Override
      public void release() {
        claimed.decrementAndGet();
        if (closed) {
          purge();
        }
      }

      @Override
      public void close() {
        purge();
        closed = true;
      }

      private void purge() {
        if (claimed.compareAndSet(0, 1)) {
          purged = true;
        }
      }

      @Override
      public boolean isNothingUsed() {
        return purged;
      }
    };
  }
}
