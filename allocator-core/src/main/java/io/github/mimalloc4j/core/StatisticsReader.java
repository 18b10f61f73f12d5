package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Counts;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import java.util.ArrayList;
import java.util.List;

/** Adds up an allocator's figures. It takes no lock, and nobody waits for it. */
public final class StatisticsReader {

  private final int[] pages = new int[SizeClasses.count()];
  private final long[] pageBytes = new long[SizeClasses.count()];
  private final long[] liveBlocks = new long[SizeClasses.count()];
  private final long[] blocks = new long[SizeClasses.count()];

  private StatisticsReader() {}

  /** Reads all figures, by a walk over all pages. Any thread. */
  public static MemoryStatistics read(Heaps<?> heaps) {
    return new MemoryStatistics(
        heaps.bytes(), heapStatistics(heaps), counts(heaps), sizeClasses(heaps));
  }

  private static MemoryStatistics.Heaps heapStatistics(Heaps<?> heaps) {
    int owned = 0;
    int abandoned = 0;
    for (Heap<?> heap : heaps.owned()) {
      if (heap.owner() == null) {
        abandoned++;
      } else {
        owned++;
      }
    }
    return new MemoryStatistics.Heaps(owned, heaps.shared().length, abandoned);
  }

  static Counts counts(Heaps<?> heaps) {
    AllocatorCounters counters = heaps.counters();
    HeapCounts inPages = heapCounts(heaps);
    long large = heaps.largePages().largeAllocations();
    long huge = heaps.largePages().hugeAllocations();
    long purged =
        heaps.pool().segmentsPurged(); // first, so that none is purged before it was there
    return new Counts(
        inPages.allocations() + large + huge,
        large,
        huge,
        inPages.deferredReleases(),
        inPages.collects(),
        counters.adoptions(),
        heaps.pool().segmentsObtained(),
        purged,
        counters.doubleReleases(),
        counters.outOfMemoryRetries());
  }

  private static HeapCounts heapCounts(Heaps<?> heaps) {
    HeapCounts sum = heaps.counters().ofDiscarded(); // before the heaps: N1
    for (Heap<?> heap : heaps.owned()) {
      sum = sum.plus(heap.counts());
    }
    for (Heap<?> heap : heaps.shared()) {
      sum = sum.plus(heap.counts());
    }
    return heaps.counters().atLeastAsBefore(sum);
  }

  private static List<SizeClass> sizeClasses(Heaps<?> heaps) {
    StatisticsReader reader = new StatisticsReader();
    for (Heap<?> heap : heaps.owned()) {
      reader.add(heap);
    }
    for (Heap<?> heap : heaps.shared()) {
      reader.add(heap);
    }
    List<SizeClass> inUse = new ArrayList<>();
    for (int bin = 0; bin < SizeClasses.count(); bin++) {
      if (reader.pages[bin] > 0) {
        inUse.add(reader.sizeClass(bin));
      }
    }
    return inUse;
  }

  private <B extends Block> void add(Heap<B> heap) {
    for (Page<B> page : heap.queues().pages()) {
      if (page != null) {
        pages[page.bin]++;
        pageBytes[page.bin] += page.bytes();
        liveBlocks[page.bin] += page.liveBlocks();
        blocks[page.bin] += page.capacity;
      }
    }
  }

  private SizeClass sizeClass(int bin) {
    return new SizeClass(
        SizeClasses.blockBytes(bin),
        pages[bin],
        pageBytes[bin],
        liveBlocks[bin],
        blocks[bin] - liveBlocks[bin]);
  }
}
