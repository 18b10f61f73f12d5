package io.github.mimalloc4j.core.heap;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The counts of a heap's slow paths. Pages count their allocations themselves; this class keeps
 * only the allocations of pages that are gone.
 *
 * <p>The counters are separate objects, so that counting does not take the heap's cache line, which
 * has the owner, away from threads that release.
 *
 * <p>Holder of the heap only, unless stated otherwise.
 */
final class HeapCounters {

  private final AtomicLong allocationsOfGone = new AtomicLong();
  private final AtomicLong keptLargeAllocations = new AtomicLong();
  private final AtomicLong deferredReleases = new AtomicLong();
  private final AtomicLong collects = new AtomicLong();

  /** Adds the count of a page. Called after the page was removed from the heap's pages: N1. */
  void pageGone(Page<?> page) {
    addRelease(allocationsOfGone, page.allocations());
  }

  /** Counts a block that was taken from a {@linkplain KeptLargePage kept} large page. */
  void keptLargeTaken() {
    addRelease(keptLargeAllocations, 1);
  }

  void collected(int blocks) {
    addRelease(deferredReleases, blocks);
    addRelease(collects, 1);
  }

  /**
   * Returns the counts without those of the heap's pages. Any thread, before it reads the pages:
   * N1.
   */
  HeapCounts readAcquire() {
    return new HeapCounts(
        allocationsOfGone.getAcquire(),
        keptLargeAllocations.getAcquire(),
        deferredReleases.getAcquire(),
        collects.getAcquire());
  }

  /** Adds without an atomic operation: there is one writer. */
  private static void addRelease(AtomicLong counter, long count) {
    counter.setRelease(counter.getPlain() + count);
  }
}
