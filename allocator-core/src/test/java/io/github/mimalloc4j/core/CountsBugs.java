package io.github.mimalloc4j.core;

import java.util.concurrent.atomic.AtomicLong;

/** Counts that move, right but for the one method that a planted bug overrides. */
public abstract class CountsBugs implements CountsView {

  private final AtomicLong greatest = new AtomicLong();

  /** What those counted that are gone, one of them already. */
  final AtomicLong ofGone = new AtomicLong(ALLOCATIONS - 1);

  /** Whether the one with the last count is there. */
  volatile boolean there = true;

  private CountsBugs() {}

  @Override
  public void keepUp() {
    there = false;
    ofGone.incrementAndGet();
  }

  @Override
  public long allocations() {
    return greatest.accumulateAndGet(sum(), Math::max);
  }

  long sum() {
    return ofGone.get() + (there ? 1 : 0);
  }

  /** The sum of those that are gone is read after those that are there. */
  public static CountsView readsSumLast() {
    return new CountsBugs() {
      @Override
      long sum() {
        long present = there ? 1 : 0;
        return present + ofGone.get();
      }
    };
  }

  /** What is read is told, though it may have missed what is going. */
  public static CountsView forgetsTheGreatest() {
    return new CountsBugs() {
      @Override
      public long allocations() {
        return sum();
      }
    };
  }

  /** The count of what is going is added to the sum before it is gone. */
  public static CountsView addsToSumFirst() {
    return new CountsBugs() {
      @Override
      public void keepUp() {
        ofGone.incrementAndGet();
        there = false;
      }
    };
  }
}
