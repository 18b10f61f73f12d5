package io.github.mimalloc4j.netty;

/**
 * The figures of one kind of memory of an allocator, for JMX; see {@link
 * io.github.mimalloc4j.core.statistics.MemoryStatistics} for what they mean. Each attribute is read
 * when it is asked for, so two of them may belong to different moments.
 */
public interface MiMallocMemoryMXBean {

  /** Bytes obtained from the system: live, cached and free. */
  long getUsedBytes();

  /** Bytes of blocks that buffers have. */
  long getLiveBytes();

  /** Bytes of pages that no live block has. */
  long getCachedBytes();

  /** Bytes of segments that neither a page nor a large block has. */
  long getFreeBytes();

  /** Cached and free bytes. */
  long getRetainedBytes();

  /** The part of the live bytes in large blocks. */
  long getLargeBytes();

  /** The part of the live bytes in huge blocks. */
  long getHugeBytes();

  /** Heaps that a thread owns. */
  int getOwnedHeaps();

  /** Heaps that threads share. */
  int getSharedHeaps();

  /** Heaps that wait to be adopted. */
  int getAbandonedHeaps();

  /** Blocks handed out. */
  long getAllocations();

  /** Large blocks handed out. */
  long getLargeAllocations();

  /** Huge blocks handed out. */
  long getHugeAllocations();

  /** Blocks that others than the owner released, and the heap has collected. */
  long getDeferredReleases();

  /** How often such blocks were collected. */
  long getCollects();

  /** Heaps taken over from threads that had ended. */
  long getAdoptions();

  /** Segments obtained from the system. */
  long getSegmentsObtained();

  /** Segments given back to the system. */
  long getSegmentsPurged();

  /** Racing double releases that were found. */
  long getDoubleReleases();

  /** Allocations that were tried again after a trim. */
  long getOutOfMemoryRetries();

  /** All figures of the allocator, both kinds of memory, as a page of text. */
  String dumpStats();

  /** The same as JSON. */
  String dumpStatsAsJson();
}
