package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapCounts;
import io.github.mimalloc4j.core.heap.PageCounts;
import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Counts;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import java.util.ArrayList;
import java.util.List;

/** Adds up an allocator's figures. Takes no lock and delays no other thread. */
public final class StatisticsReader {

  private StatisticsReader() {}

  /** Reads all figures by visiting all pages. Any thread. */
  public static MemoryStatistics read(BlockAllocator<?> allocator) {
    return new MemoryStatistics(
        bytes(allocator), threadHeaps(allocator), counts(allocator), sizeClasses(allocator));
  }

  /**
   * Returns the uses of the used bytes: estimates while others go on, but always parts of the
   * whole.
   */
  static MemoryStatistics.Bytes bytes(BlockAllocator<?> allocator) {
    long liveInPages = 0;
    for (Heap<?> heap : allocator.heaps()) {
      liveInPages += heap.liveBytes();
    }
    // Each is a part of the one before. Read concurrently, a part may seem larger than the whole.
    long used = allocator.usedBytes();
    long claimed = Math.min(allocator.pool().claimedBytes(), used);
    long paged = Math.min(allocator.pagedBytes(), claimed);
    liveInPages = Math.min(liveInPages, paged);
    long unpaged = claimed - paged;
    long huge = Math.min(allocator.pool().dedicatedBytes(), unpaged);
    return new MemoryStatistics.Bytes(
        used, liveInPages + unpaged, paged - liveInPages, used - claimed, unpaged - huge, huge);
  }

  private static MemoryStatistics.ThreadHeaps threadHeaps(BlockAllocator<?> allocator) {
    int owned = 0;
    int abandoned = 0;
    for (Heap<?> heap : allocator.owned()) {
      if (heap.owner() == null) {
        abandoned++;
      } else {
        owned++;
      }
    }
    return new MemoryStatistics.ThreadHeaps(owned, allocator.shared().length, abandoned);
  }

  static Counts counts(BlockAllocator<?> allocator) {
    AllocatorCounters counters = allocator.counters();
    HeapCounts inPages = heapCounts(allocator);
    long large = allocator.largePages().largeAllocations();
    long huge = allocator.largePages().hugeAllocations();
    long purged =
        allocator.pool().segmentsPurged(); // first: no segment is purged before it was obtained
    return new Counts(
        inPages.allocations() + large + huge,
        large,
        huge,
        inPages.deferredReleases(),
        inPages.collects(),
        counters.adoptions(),
        allocator.pool().segmentsObtained(),
        purged,
        counters.doubleReleases(),
        counters.outOfMemoryRetries());
  }

  private static HeapCounts heapCounts(BlockAllocator<?> allocator) {
    HeapCounts sum = allocator.counters().ofDiscarded(); // before the heaps: N1
    for (Heap<?> heap : allocator.heaps()) {
      sum = sum.plus(heap.counts());
    }
    return allocator.counters().atLeastAsBefore(sum);
  }

  private static List<SizeClass> sizeClasses(BlockAllocator<?> allocator) {
    PageCounts counts = new PageCounts();
    for (Heap<?> heap : allocator.heaps()) {
      counts.add(heap);
    }
    List<SizeClass> inUse = new ArrayList<>();
    for (int bin = 0; bin < SizeClasses.count(); bin++) {
      if (counts.pages(bin) > 0) {
        inUse.add(
            new SizeClass(
                SizeClasses.blockBytes(bin),
                counts.pages(bin),
                counts.pageBytes(bin),
                counts.liveBlocks(bin),
                counts.freeBlocks(bin)));
      }
    }
    return inUse;
  }
}
