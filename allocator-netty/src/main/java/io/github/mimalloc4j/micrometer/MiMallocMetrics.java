package io.github.mimalloc4j.micrometer;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocatorMetric;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Binds the {@linkplain MiMallocByteBufAllocator#metric() figures} of an allocator to meters. Each
 * has a tag {@code memory.type}, {@code direct} or {@code heap}.
 *
 * <pre>{@code
 * new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(registry);
 * }</pre>
 *
 * <p>The number of meters is fixed: size classes are not among them. A meter's value is a reading
 * of its own, by a walk over all pages.
 *
 * <p>The registry does not keep the allocator: when that is gone, gauges have no value any more and
 * counters their last one. Thread-safe.
 */
@SuppressWarnings("exports") // of Micrometer, which whoever uses this class has
public final class MiMallocMetrics implements MeterBinder {

  private static final String PREFIX = "mimalloc4j.";
  private static final String MEMORY_TYPE = "memory.type";

  private final MiMallocByteBufAllocatorMetric metric;
  private final Iterable<Tag> tags;

  /**
   * Makes a binder of an allocator that is the only one in its registries.
   *
   * @param allocator what the meters are of; it is not kept by a registry
   */
  public MiMallocMetrics(MiMallocByteBufAllocator allocator) {
    this(allocator, List.of());
  }

  /**
   * Makes a binder.
   *
   * @param allocator what the meters are of; it is not kept by a registry
   * @param tags of all meters; a registry takes meters of equal names and tags for the same ones,
   *     so each of several allocators needs a tag of its own
   */
  public MiMallocMetrics(MiMallocByteBufAllocator allocator, Iterable<Tag> tags) {
    this.metric = allocator.metric();
    this.tags = Tags.of(tags);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    bindTo(registry, "direct", MiMallocByteBufAllocatorMetric::direct);
    bindTo(registry, "heap", MiMallocByteBufAllocatorMetric::heap);
  }

  private void bindTo(
      MeterRegistry registry,
      String memoryType,
      Function<MiMallocByteBufAllocatorMetric, MemoryStatistics> reading) {
    Meters meters =
        new Meters(registry, metric, Tags.of(tags).and(MEMORY_TYPE, memoryType), reading);
    bindBytes(meters);
    bindHeaps(meters);
    bindCounts(meters);
  }

  private static void bindBytes(Meters meters) {
    meters.bytes("used", MemoryStatistics.Bytes::used, "Obtained from the system");
    meters.bytes("live", MemoryStatistics.Bytes::live, "Blocks that buffers have");
    meters.bytes("large", MemoryStatistics.Bytes::large, "Live blocks that share a segment");
    meters.bytes("huge", MemoryStatistics.Bytes::huge, "Live blocks with a segment each");
    meters.bytes("retained", MemoryStatistics.Bytes::retained, "Used and not live");
    meters.bytes("cached", MemoryStatistics.Bytes::cached, "Not live in pages of heaps");
    meters.bytes("free", MemoryStatistics.Bytes::free, "Parts of segments that nobody has");
  }

  private static void bindHeaps(Meters meters) {
    meters.heaps("owned", MemoryStatistics.ThreadHeaps::owned);
    meters.heaps("shared", MemoryStatistics.ThreadHeaps::shared);
    meters.heaps("abandoned", MemoryStatistics.ThreadHeaps::abandoned);
  }

  private static void bindCounts(Meters meters) {
    meters.count("allocations", MemoryStatistics.Counts::allocations, "Blocks handed out");
    meters.count(
        "large.allocations",
        MemoryStatistics.Counts::largeAllocations,
        "Allocations that share a segment, not a page");
    meters.count(
        "huge.allocations",
        MemoryStatistics.Counts::hugeAllocations,
        "Allocations with a segment each");
    meters.count(
        "deferred.releases",
        MemoryStatistics.Counts::deferredReleases,
        "Blocks that others than the owner of their heap released");
    meters.count(
        "collects", MemoryStatistics.Counts::collects, "How often heaps took such blocks back");
    meters.count(
        "adoptions",
        MemoryStatistics.Counts::adoptions,
        "Heaps taken over from threads that had ended");
    meters.count(
        "segments.obtained",
        MemoryStatistics.Counts::segmentsObtained,
        "Segments obtained from the system");
    meters.count(
        "segments.purged", MemoryStatistics.Counts::segmentsPurged, "Segments given back to it");
    meters.count(
        "double.releases",
        MemoryStatistics.Counts::doubleReleases,
        "Racing double releases that were caught: errors of the program");
    meters.count(
        "out.of.memory.retries",
        MemoryStatistics.Counts::outOfMemoryRetries,
        "Allocations that found no memory and were tried again");
  }

  /**
   * Makes meters of one kind of memory. What they keep of the allocator is {@code metric} alone,
   * which they keep weakly: the functions must not refer to it.
   */
  private record Meters(
      MeterRegistry registry,
      MiMallocByteBufAllocatorMetric metric,
      Tags tags,
      Function<MiMallocByteBufAllocatorMetric, MemoryStatistics> reading) {

    void bytes(String name, ToLongFunction<MemoryStatistics.Bytes> figure, String description) {
      Function<MiMallocByteBufAllocatorMetric, MemoryStatistics> reading = this.reading;
      Gauge.builder(
              PREFIX + "memory." + name,
              metric,
              read -> figure.applyAsLong(reading.apply(read).bytes()))
          .description(description)
          .tags(tags)
          .baseUnit(BaseUnits.BYTES)
          .register(registry);
    }

    void heaps(String state, ToLongFunction<MemoryStatistics.ThreadHeaps> figure) {
      Function<MiMallocByteBufAllocatorMetric, MemoryStatistics> reading = this.reading;
      Gauge.builder(
              PREFIX + "thread.heaps",
              metric,
              read -> figure.applyAsLong(reading.apply(read).threadHeaps()))
          .description("Thread heaps that a thread owns, that others share, or whose owner ended")
          .tags(tags.and("state", state))
          .register(registry);
    }

    void count(String name, ToLongFunction<MemoryStatistics.Counts> figure, String description) {
      Function<MiMallocByteBufAllocatorMetric, MemoryStatistics> reading = this.reading;
      FunctionCounter.builder(
              PREFIX + name, metric, read -> figure.applyAsLong(reading.apply(read).counts()))
          .description(description)
          .tags(tags)
          .register(registry);
    }
  }
}
