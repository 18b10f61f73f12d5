package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MiMallocMemoryMXBean;
import java.util.function.Supplier;

/** What a management client sees of one kind of memory. */
final class MemoryBean implements MiMallocMemoryMXBean {

  private final MiMallocByteBufAllocator allocator;
  private final Supplier<MemoryStatistics> statistics;

  MemoryBean(MiMallocByteBufAllocator allocator, Supplier<MemoryStatistics> statistics) {
    this.allocator = allocator;
    this.statistics = statistics;
  }

  @Override
  public long getUsedBytes() {
    return bytes().used();
  }

  @Override
  public long getLiveBytes() {
    return bytes().live();
  }

  @Override
  public long getCachedBytes() {
    return bytes().cached();
  }

  @Override
  public long getFreeBytes() {
    return bytes().free();
  }

  @Override
  public long getRetainedBytes() {
    return bytes().retained();
  }

  @Override
  public long getLargeBytes() {
    return bytes().large();
  }

  @Override
  public long getHugeBytes() {
    return bytes().huge();
  }

  @Override
  public int getOwnedThreadHeaps() {
    return heaps().owned();
  }

  @Override
  public int getSharedThreadHeaps() {
    return heaps().shared();
  }

  @Override
  public int getAbandonedThreadHeaps() {
    return heaps().abandoned();
  }

  @Override
  public long getAllocations() {
    return counts().allocations();
  }

  @Override
  public long getLargeAllocations() {
    return counts().largeAllocations();
  }

  @Override
  public long getHugeAllocations() {
    return counts().hugeAllocations();
  }

  @Override
  public long getDeferredReleases() {
    return counts().deferredReleases();
  }

  @Override
  public long getCollects() {
    return counts().collects();
  }

  @Override
  public long getAdoptions() {
    return counts().adoptions();
  }

  @Override
  public long getSegmentsObtained() {
    return counts().segmentsObtained();
  }

  @Override
  public long getSegmentsPurged() {
    return counts().segmentsPurged();
  }

  @Override
  public long getDoubleReleases() {
    return counts().doubleReleases();
  }

  @Override
  public long getOutOfMemoryRetries() {
    return counts().outOfMemoryRetries();
  }

  @Override
  public String dumpStats() {
    return allocator.dumpStats();
  }

  @Override
  public String dumpStatsAsJson() {
    return allocator.dumpStatsAsJson();
  }

  private MemoryStatistics.Bytes bytes() {
    return statistics.get().bytes();
  }

  private MemoryStatistics.ThreadHeaps heaps() {
    return statistics.get().threadHeaps();
  }

  private MemoryStatistics.Counts counts() {
    return statistics.get().counts();
  }
}
