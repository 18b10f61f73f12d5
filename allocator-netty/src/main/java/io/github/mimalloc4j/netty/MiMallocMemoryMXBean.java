package io.github.mimalloc4j.netty;

/**
 * The figures of one kind of memory of an allocator, for JMX; see {@link
 * io.github.mimalloc4j.core.statistics.MemoryStatistics} for what they mean. Each attribute is read
 * when it is asked for, so two of them may belong to different moments.
 */
public interface MiMallocMemoryMXBean {

  /** {@return the bytes obtained from the system: live, cached and free} */
  long getUsedBytes();

  /** {@return the bytes of blocks that buffers have} */
  long getLiveBytes();

  /** {@return the bytes of pages that no live block has} */
  long getCachedBytes();

  /** {@return the bytes of segments that neither a page nor a large block has} */
  long getFreeBytes();

  /** {@return cached and free bytes} */
  long getRetainedBytes();

  /** {@return the part of the live bytes in large blocks} */
  long getLargeBytes();

  /** {@return the part of the live bytes in huge blocks} */
  long getHugeBytes();

  /** {@return the number of heaps that a thread owns} */
  int getOwnedThreadHeaps();

  /** {@return the number of heaps that threads share} */
  int getSharedThreadHeaps();

  /** {@return the number of heaps that wait to be adopted} */
  int getAbandonedThreadHeaps();

  /** {@return the number of blocks handed out} */
  long getAllocations();

  /** {@return the number of large blocks handed out} */
  long getLargeAllocations();

  /** {@return the number of huge blocks handed out} */
  long getHugeAllocations();

  /**
   * {@return the number of blocks that others than the owner released, and the heap has collected}
   */
  long getDeferredReleases();

  /** {@return how often such blocks were collected} */
  long getCollects();

  /** {@return the number of heaps taken over from threads that had ended} */
  long getAdoptions();

  /** {@return the number of segments obtained from the system} */
  long getSegmentsObtained();

  /** {@return the number of segments given back to the system} */
  long getSegmentsPurged();

  /** {@return the number of racing double releases that were found} */
  long getDoubleReleases();

  /** {@return the number of allocations that were tried again after a trim} */
  long getOutOfMemoryRetries();

  /** {@return all figures of the allocator, both kinds of memory, as a page of text} */
  String dumpStats();

  /** {@return the same as JSON} */
  String dumpStatsAsJson();
}
