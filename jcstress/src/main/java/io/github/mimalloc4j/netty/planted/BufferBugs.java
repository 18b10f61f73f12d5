package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.BufferView;
import io.netty.util.IllegalReferenceCountException;

/** Buffers with a planted bug. */
public final class BufferBugs {

  private BufferBugs() {}

  /** A retain reads and writes the count in two steps. */
  public static BufferView retainsInTwoSteps(int references) {
    return new SimpleBuffer(references) {
      @Override
      public void retain() {
        count.set(count.get() + 1);
      }
    };
  }

  /** A release reads and writes the count in two steps. */
  public static BufferView releasesInTwoSteps(int references) {
    return new SimpleBuffer(references) {
      @Override
      public boolean release() {
        int left = count.get() - 1;
        count.set(left);
        return freedIf(left == 0);
      }
    };
  }

  /** The owner's releases are plain writes, also where it does not hold the only reference. */
  public static BufferView ownerReleasesByPlainWrite(int references) {
    return new SimpleBuffer(references) {
      @Override
      public boolean release() {
        if (!isOwner()) {
          return super.release();
        }
        int left = count.get() - 1;
        count.set(left);
        return freedIf(left == 0);
      }
    };
  }

  /** What comes as deferred is free, whatever its state says. */
  public static BufferView reclaimsUnchecked() {
    return new SimpleBuffer(1) {
      @Override
      public boolean release() {
        int left = count.get() - 1;
        if (left < 0) {
          throw new IllegalReferenceCountException();
        }
        count.set(left); // as the owner's release, which is right if nobody else releases
        return freedIf(left == 0);
      }
    };
  }

  /** A last release reads and writes the count in two steps, although it is checked. */
  public static BufferView checksReleaseByPlainWrite() {
    return new SimpleBuffer(1) {
      @Override
      public boolean release() {
        if (count.get() == 0) {
          throw new IllegalReferenceCountException();
        }
        count.set(0);
        return true;
      }

      @Override
      public int timesFree() {
        return 1; // what comes twice is dropped, as it is when releases are not checked
      }
    };
  }

  /** The place is read before the count says that nobody else can move the buffer. */
  public static BufferView readsPlaceBeforeCount(int references) {
    return new SimpleBuffer(references) {
      @Override
      public boolean release() {
        int old = place;
        boolean last = count.decrementAndGet() == 0;
        return last && freedAt(old);
      }
    };
  }

  /** A block is reclaimed only if nobody retains it wrongly at that moment; else it is dropped. */
  public static BufferView reclaimsUndisturbedOnly() {
    return new SimpleReusedBuffer() {
      @Override
      boolean reclaim(int state) {
        return count.compareAndSet(DEFERRED, FREE);
      }
    };
  }

  /** A wrong retain takes back what it added, also if the block has got a new user. */
  public static BufferView takesBackFromNewUser() {
    return new SimpleReusedBuffer() {
      @Override
      void takeBack(int before) {
        count.decrementAndGet();
      }
    };
  }
}
