package io.github.mimalloc4j.core.heap;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a heap counts on its slow paths. What it allocates, its pages count: here is only what those
 * counted that are gone.
 *
 * <p>Objects of their own, so that counting does not take the heap's cache line, with its owner,
 * away from those who release.
 *
 * <p>What is not said to be for any thread is for the holder of the heap alone.
 */
final class HeapCounters {

  private final AtomicLong allocationsOfGone = new AtomicLong();
  private final AtomicLong deferredReleases = new AtomicLong();
  private final AtomicLong collects = new AtomicLong();

  /** Takes over what a page counted. After the page was taken out of the heap's pages: N1. */
  void pageGone(Page<?> page) {
    addRelease(allocationsOfGone, page.allocations());
  }

  void collected(int blocks) {
    addRelease(deferredReleases, blocks);
    addRelease(collects, 1);
  }

  /** The counts without those of the heap's pages. Any thread, before it looks at the pages: N1. */
  HeapCounts readAcquire() {
    return new HeapCounts(
        allocationsOfGone.getAcquire(), deferredReleases.getAcquire(), collects.getAcquire());
  }

  /** No atomic addition: there is one writer. */
  private static void addRelease(AtomicLong counter, long count) {
    counter.setRelease(counter.getPlain() + count);
  }
}
