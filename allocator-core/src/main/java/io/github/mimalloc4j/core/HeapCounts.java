package io.github.mimalloc4j.core;

/**
 * What heaps count.
 *
 * @param allocations blocks taken from pages
 * @param deferredReleases blocks collected from deferred lists
 * @param collects how often some were
 */
record HeapCounts(long allocations, long deferredReleases, long collects) {

  static final HeapCounts NONE = new HeapCounts(0, 0, 0);

  HeapCounts plus(HeapCounts other) {
    return new HeapCounts(
        allocations + other.allocations,
        deferredReleases + other.deferredReleases,
        collects + other.collects);
  }

  /** The greater one of each count. */
  HeapCounts max(HeapCounts other) {
    return new HeapCounts(
        Math.max(allocations, other.allocations),
        Math.max(deferredReleases, other.deferredReleases),
        Math.max(collects, other.collects));
  }
}
