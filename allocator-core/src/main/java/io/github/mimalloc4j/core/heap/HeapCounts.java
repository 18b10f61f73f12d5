package io.github.mimalloc4j.core.heap;

/**
 * The counts of one or more heaps.
 *
 * @param allocations blocks taken from pages of small blocks
 * @param keptLargeAllocations blocks taken from large pages that a heap had kept
 * @param deferredReleases blocks collected from deferred lists, or of stolen pages
 * @param collects how often such blocks were collected, or a page was found stolen
 */
public record HeapCounts(
    long allocations, long keptLargeAllocations, long deferredReleases, long collects) {

  public static final HeapCounts NONE = new HeapCounts(0, 0, 0, 0);

  public HeapCounts plus(HeapCounts other) {
    return new HeapCounts(
        allocations + other.allocations,
        keptLargeAllocations + other.keptLargeAllocations,
        deferredReleases + other.deferredReleases,
        collects + other.collects);
  }

  /** Returns the greater one of each count. */
  public HeapCounts max(HeapCounts other) {
    return new HeapCounts(
        Math.max(allocations, other.allocations),
        Math.max(keptLargeAllocations, other.keptLargeAllocations),
        Math.max(deferredReleases, other.deferredReleases),
        Math.max(collects, other.collects));
  }
}
