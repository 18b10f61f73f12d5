package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapCounts;
import io.github.mimalloc4j.core.heap.SizeClassCounts;
import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Counts;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Adds up an allocator's figures. Takes no lock and delays no other thread. */
public final class StatisticsReader {

  private StatisticsReader() {}

  /** Reads all figures by visiting all pages. Any thread. */
  public static MemoryStatistics read(BlockAllocator<?> allocator) {
    List<ThreadHeap> heaps = byThreadHeap(allocator);
    long paged = 0;
    long liveInPages = 0;
    for (ThreadHeap heap : heaps) {
      paged += heap.pageBytes();
      liveInPages += heap.liveBytes();
    }
    return new MemoryStatistics(
        bytes(allocator, paged, liveInPages),
        threadHeaps(allocator),
        counts(allocator),
        sizeClasses(allocator),
        heaps);
  }

  /**
   * Returns what the used bytes are used for: estimates while other threads allocate or release,
   * but always parts of the whole.
   */
  static MemoryStatistics.Bytes bytes(BlockAllocator<?> allocator) {
    long paged = 0;
    long liveInPages = 0;
    for (Heap<?> heap : allocator.heaps()) {
      paged += heap.pageBytes();
      liveInPages += heap.liveBytes();
    }
    return bytes(allocator, paged, liveInPages);
  }

  private static MemoryStatistics.Bytes bytes(
      BlockAllocator<?> allocator, long inPages, long liveInPages) {
    // Each is a part of the one before. Read concurrently, a part may seem larger than the whole.
    long used = allocator.usedBytes();
    long claimed = Math.min(allocator.pool().claimedBytes(), used);
    long paged = Math.min(inPages, claimed);
    long livePaged = Math.min(liveInPages, paged);
    long unpaged = claimed - paged;
    long huge = Math.min(allocator.pool().dedicatedBytes(), unpaged);
    return new MemoryStatistics.Bytes(
        used, livePaged + unpaged, paged - livePaged, used - claimed, unpaged - huge, huge);
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
    HeapCounts inHeaps = heapCounts(allocator);
    long large = allocator.largePages().largeAllocations() + inHeaps.keptLargeAllocations();
    long huge = allocator.largePages().hugeAllocations();
    long purged =
        allocator.pool().segmentsPurged(); // first: no segment is purged before it was obtained
    return new Counts(
        inHeaps.allocations() + large + huge,
        large,
        huge,
        inHeaps.deferredReleases(),
        inHeaps.collects(),
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
    SizeClassCounts counts = new SizeClassCounts();
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

  private static List<ThreadHeap> byThreadHeap(BlockAllocator<?> allocator) {
    List<ThreadHeap> heaps = new ArrayList<>();
    for (Heap<?> heap : allocator.owned()) {
      Thread owner = heap.owner();
      if (owner == null) {
        add(heap, ThreadHeap.State.ABANDONED, "", heaps);
      } else {
        add(heap, ThreadHeap.State.OWNED, name(owner), heaps);
      }
    }
    for (Heap<?> heap : allocator.shared()) {
      add(heap, ThreadHeap.State.SHARED, "", heaps);
    }
    heaps.sort(new MostBytesFirst());
    return heaps;
  }

  private static void add(
      Heap<?> heap, ThreadHeap.State state, String thread, List<ThreadHeap> heaps) {
    long live = heap.liveBytes();
    long paged = heap.pageBytes();
    if (paged > 0) {
      heaps.add(new ThreadHeap(state, thread, paged, Math.min(live, paged))); // pages may have gone
    }
  }

  /** Returns the thread's name; if it has none, like most virtual threads, {@code #} and its id. */
  @SuppressWarnings("deprecation") // its successor is not in JDK 17
  private static String name(Thread thread) {
    String name = thread.getName();
    return name.isEmpty() ? "#" + thread.getId() : name;
  }

  private static final class MostBytesFirst implements Comparator<ThreadHeap> {

    @Override
    public int compare(ThreadHeap one, ThreadHeap other) {
      return Long.compare(other.pageBytes(), one.pageBytes());
    }
  }
}
