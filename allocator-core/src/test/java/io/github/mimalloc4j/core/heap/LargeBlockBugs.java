package io.github.mimalloc4j.core.heap;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Large blocks with a planted bug. */
public final class LargeBlockBugs {

  private LargeBlockBugs() {}

  /** The slices are given back before the last use of the block. */
  public static LargeBlockView releasesBeforeLastUse() {
    return new LargeBlockView() {
      private final AtomicBoolean claimed = new AtomicBoolean(true);
      private final AtomicInteger uses = new AtomicInteger();
      private int seen;

      @Override
      public void useAndRelease() {
        claimed.set(false);
        uses.incrementAndGet();
      }

      @Override
      public boolean takeAnother() {
        boolean same = claimed.compareAndSet(false, true);
        if (same) {
          seen = uses.getAndSet(0);
        }
        return same;
      }

      @Override
      public boolean isUseOver() {
        return seen == 1 && uses.get() == 0;
      }
    };
  }
}
