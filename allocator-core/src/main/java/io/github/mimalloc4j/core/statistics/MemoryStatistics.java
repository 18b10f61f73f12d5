package io.github.mimalloc4j.core.statistics;

import java.util.List;

/**
 * The figures of one kind of memory of an allocator, direct or on the Java heap, at one moment.
 *
 * <p>All figures are exact if no thread allocates or releases meanwhile. Otherwise {@link
 * Bytes#used} is still exact, counts never decrease from one reading to the next, and everything
 * else is an estimate that is never negative.
 *
 * @param bytes what the memory is used for
 * @param threadHeaps how many heaps threads have
 * @param counts the events since the allocator was created
 * @param sizeClasses the size classes that have pages, smallest blocks first; larger blocks share
 *     no page
 * @param byThreadHeap what each thread heap that has pages holds, the one with the most bytes first
 */
public record MemoryStatistics(
    Bytes bytes,
    ThreadHeaps threadHeaps,
    Counts counts,
    List<SizeClass> sizeClasses,
    List<ThreadHeap> byThreadHeap) {

  /** Copies the lists. */
  public MemoryStatistics {
    sizeClasses = List.copyOf(sizeClasses);
    byThreadHeap = List.copyOf(byThreadHeap);
  }

  /**
   * What the memory is used for. Always {@code used = live + cached + free}.
   *
   * @param used bytes obtained from the system and not given back
   * @param live bytes of blocks that buffers have, each with its whole block ("pinned")
   * @param cached bytes of heaps' pages outside of live blocks: blocks that are free or on a
   *     deferred list, blocks that were never used, page ends that are shorter than a block, and
   *     large blocks that a heap keeps
   * @param free bytes of segments that belong neither to a page nor to a large block
   * @param large the part of {@code live} in blocks above the largest size class that share a
   *     segment
   * @param huge the part of {@code live} in blocks with a segment of their own
   */
  public record Bytes(long used, long live, long cached, long free, long large, long huge) {

    /** Returns the bytes that are held without being live: {@code cached + free}. */
    public long retained() {
      return cached + free;
    }
  }

  /**
   * The numbers of heaps that threads allocate from; not to be confused with the Java heap.
   *
   * @param owned heaps that a thread of an event executor owns
   * @param shared heaps that all other threads share
   * @param abandoned heaps whose owner has ended and that have live blocks or were not examined
   *     yet; the next thread that needs a heap adopts one of them
   */
  public record ThreadHeaps(int owned, int shared, int abandoned) {}

  /**
   * The events since the allocator was created. No count ever decreases.
   *
   * @param allocations blocks handed out, including large and huge ones: one for each buffer, and
   *     one each time a buffer outgrows its block
   * @param largeAllocations of these, blocks above the largest size class that share a segment
   * @param hugeAllocations of these, blocks with a segment of their own
   * @param deferredReleases blocks of pages that were released by a thread other than their heap's
   *     owner or, in a shared heap, by a thread that did not have its lock, or with several
   *     references at once; counted when the heap collects them or finds their page stolen; large
   *     and huge blocks have no heap
   * @param collects how often a heap found such blocks in a page and collected them, or found the
   *     page stolen
   * @param adoptions heaps that were taken over from a thread that had ended
   * @param segmentsObtained segments obtained from the system, including those of huge blocks
   * @param segmentsPurged segments given back; those obtained minus these are held
   * @param doubleReleases racing releases of the same reference that were found and dropped; those
   *     that throw an exception are not counted
   * @param outOfMemoryRetries allocations that found no memory and were tried again, successfully
   *     or not, after everything within reach had been trimmed
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
   * @param freeBlocks all other blocks, including those that were never used
   */
  public record SizeClass(
      int blockBytes, int pages, long pageBytes, long liveBlocks, long freeBlocks) {}

  /**
   * The memory of one thread heap. Large and huge blocks belong to no thread heap, but a large page
   * that it keeps for reuse does.
   *
   * @param state who uses the heap
   * @param thread the name of the thread that owns it, or {@code #} and the thread's id if it has
   *     no name; empty if no thread owns it
   * @param pageBytes the bytes of its pages
   * @param liveBytes of these, the bytes of blocks that buffers have, whoever uses them now
   */
  public record ThreadHeap(State state, String thread, long pageBytes, long liveBytes) {

    /** Who uses a thread heap. */
    public enum State {
      /** A thread of an event executor owns it. */
      OWNED("owned"),
      /** All threads that own none share it. */
      SHARED("shared"),
      /** Its owner has ended. */
      ABANDONED("abandoned");

      private final String text;

      State(String text) {
        this.text = text;
      }

      /** Returns the name in lower case, as in text, JSON and meters. */
      @Override
      public String toString() {
        return text;
      }
    }
  }
}
