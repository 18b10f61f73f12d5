package io.github.mimalloc4j.core.statistics;

import java.util.List;

/**
 * The figures of one kind of memory of an allocator, direct or on the Java heap, at one moment.
 *
 * <p>Exact if no thread allocates or releases meanwhile. Else {@link Bytes#used} still is, counts
 * never decrease from one reading to the next, and all else is an estimate that is never negative.
 *
 * @param bytes what the memory is used for
 * @param threadHeaps how many heaps threads have
 * @param counts what has happened since the allocator was made
 * @param sizeClasses those that have pages, the smallest blocks first; what is larger than their
 *     blocks shares no page
 */
public record MemoryStatistics(
    Bytes bytes, ThreadHeaps threadHeaps, Counts counts, List<SizeClass> sizeClasses) {

  /** Keeps a copy of the list. */
  public MemoryStatistics {
    sizeClasses = List.copyOf(sizeClasses);
  }

  /**
   * What the memory is used for: always {@code used = live + cached + free}.
   *
   * @param used bytes obtained from the system and not given back
   * @param live bytes of blocks that buffers have, each with its whole block ("pinned")
   * @param cached bytes of the pages of heaps that no live block has: blocks that are free or wait
   *     on a deferred list, those that were never used, and ends that are shorter than a block
   * @param free bytes of segments that neither a page nor a large block has
   * @param large the part of {@code live} in blocks above the largest size class that share a
   *     segment
   * @param huge the part of {@code live} in blocks with a segment of their own
   */
  public record Bytes(long used, long live, long cached, long free, long large, long huge) {

    /** Bytes that are held without being live: {@code cached + free}. */
    public long retained() {
      return cached + free;
    }
  }

  /**
   * How many heaps threads have to allocate from; not to be confused with the Java heap.
   *
   * @param owned those that a thread of an event executor owns
   * @param shared those that all other threads share
   * @param abandoned those whose owner ended, with live blocks or not looked at yet; the next
   *     thread that needs a heap adopts one of them
   */
  public record ThreadHeaps(int owned, int shared, int abandoned) {}

  /**
   * What has happened since the allocator was made. No count ever decreases.
   *
   * @param allocations blocks handed out, large and huge ones included: one for each buffer, and
   *     one each time a buffer outgrows its block
   * @param largeAllocations of these, blocks above the largest size class that share a segment
   * @param hugeAllocations of these, blocks with a segment of their own
   * @param deferredReleases blocks of pages that were released by others than their heap's owner,
   *     counted when the heap collects them; large and huge blocks have no heap
   * @param collects how often a heap found such blocks in a page and collected them
   * @param adoptions heaps that were taken over from a thread that had ended
   * @param segmentsObtained segments obtained from the system, those of huge blocks included
   * @param segmentsPurged segments given back; the difference to those obtained is held
   * @param doubleReleases racing releases of the same reference that were found and dropped; those
   *     that throw an exception are not counted
   * @param outOfMemoryRetries allocations that found no memory and were tried again after all
   *     within reach had been trimmed, with success or without
   */
  public record Counts(
      long allocations,
      long largeAllocations,
      long hugeAllocations,
      long deferredReleases,
      long collects,
      long adoptions,
      long segmentsObtained,
      long segmentsPurged,
      long doubleReleases,
      long outOfMemoryRetries) {}

  /**
   * The pages of one size class, in all heaps.
   *
   * @param blockBytes the size of a block
   * @param pages the number of pages
   * @param pageBytes the bytes of the pages
   * @param liveBlocks blocks that buffers have
   * @param freeBlocks the others, those that were never used included
   */
  public record SizeClass(
      int blockBytes, int pages, long pageBytes, long liveBlocks, long freeBlocks) {}
}
