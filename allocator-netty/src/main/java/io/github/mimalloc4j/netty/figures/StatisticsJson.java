package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Bytes;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Counts;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeaps;
import java.util.stream.Collectors;

/**
 * An allocator's figures as JSON. The names are those of the records' components; all values are
 * whole numbers, so nothing needs escaping.
 */
public final class StatisticsJson {

  private final StringBuilder json = new StringBuilder("{");

  private StatisticsJson() {}

  public static String of(MemoryStatistics direct, MemoryStatistics heap) {
    return new StatisticsJson().raw("direct", memory(direct)).raw("heap", memory(heap)).end();
  }

  private static String memory(MemoryStatistics memory) {
    String sizeClasses =
        memory.sizeClasses().stream()
            .map(StatisticsJson::sizeClass)
            .collect(Collectors.joining(",", "[", "]"));
    return new StatisticsJson()
        .raw("bytes", bytes(memory.bytes()))
        .raw("threadHeaps", heaps(memory.threadHeaps()))
        .raw("counts", counts(memory.counts()))
        .raw("sizeClasses", sizeClasses)
        .end();
  }

  private static String bytes(Bytes bytes) {
    return new StatisticsJson()
        .number("used", bytes.used())
        .number("live", bytes.live())
        .number("large", bytes.large())
        .number("huge", bytes.huge())
        .number("retained", bytes.retained())
        .number("cached", bytes.cached())
        .number("free", bytes.free())
        .end();
  }

  private static String heaps(ThreadHeaps heaps) {
    return new StatisticsJson()
        .number("owned", heaps.owned())
        .number("shared", heaps.shared())
        .number("abandoned", heaps.abandoned())
        .end();
  }

  private static String counts(Counts counts) {
    return new StatisticsJson()
        .number("allocations", counts.allocations())
        .number("largeAllocations", counts.largeAllocations())
        .number("hugeAllocations", counts.hugeAllocations())
        .number("deferredReleases", counts.deferredReleases())
        .number("collects", counts.collects())
        .number("adoptions", counts.adoptions())
        .number("segmentsObtained", counts.segmentsObtained())
        .number("segmentsPurged", counts.segmentsPurged())
        .number("doubleReleases", counts.doubleReleases())
        .number("outOfMemoryRetries", counts.outOfMemoryRetries())
        .end();
  }

  private static String sizeClass(SizeClass sizeClass) {
    return new StatisticsJson()
        .number("blockBytes", sizeClass.blockBytes())
        .number("pages", sizeClass.pages())
        .number("pageBytes", sizeClass.pageBytes())
        .number("liveBlocks", sizeClass.liveBlocks())
        .number("freeBlocks", sizeClass.freeBlocks())
        .end();
  }

  private StatisticsJson number(String name, long value) {
    return raw(name, Long.toString(value));
  }

  private StatisticsJson raw(String name, String value) {
    json.append(json.length() == 1 ? "\"" : ",\"").append(name).append("\":").append(value);
    return this;
  }

  private String end() {
    return json.append('}').toString();
  }
}
