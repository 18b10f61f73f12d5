package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Bytes;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Counts;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeaps;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** An allocator's figures as a page of text: what is meant for people to read. */
public final class StatisticsText {

  private final MemoryStatistics direct;
  private final MemoryStatistics heap;
  private final StringBuilder text = new StringBuilder();

  private StatisticsText(MemoryStatistics direct, MemoryStatistics heap) {
    this.direct = direct;
    this.heap = heap;
  }

  public static String of(MemoryStatistics direct, MemoryStatistics heap) {
    StatisticsText page = new StatisticsText(direct, heap);
    page.bytes();
    page.heaps();
    page.counts();
    page.sizeClasses("direct", direct);
    page.sizeClasses("heap", heap);
    return page.text.toString();
  }

  private void bytes() {
    title("bytes");
    bytes("used", Bytes::used);
    bytes("  live", Bytes::live);
    bytes("    of them large", Bytes::large);
    bytes("    of them huge", Bytes::huge);
    bytes("  retained", Bytes::retained);
    bytes("    cached in pages", Bytes::cached);
    bytes("    free in segments", Bytes::free);
  }

  private void heaps() {
    title("thread heaps");
    heaps("owned", ThreadHeaps::owned);
    heaps("shared", ThreadHeaps::shared);
    heaps("abandoned", ThreadHeaps::abandoned);
  }

  private void counts() {
    title("counts since the start");
    counts("allocations", Counts::allocations);
    counts("  of them large", Counts::largeAllocations);
    counts("  of them huge", Counts::hugeAllocations);
    counts("deferred releases", Counts::deferredReleases);
    counts("collects", Counts::collects);
    counts("adoptions", Counts::adoptions);
    counts("segments obtained", Counts::segmentsObtained);
    counts("segments purged", Counts::segmentsPurged);
    counts("double releases", Counts::doubleReleases);
    counts("out-of-memory retries", Counts::outOfMemoryRetries);
  }

  private void sizeClasses(String kind, MemoryStatistics memory) {
    if (memory.sizeClasses().isEmpty()) {
      return;
    }
    text.append(String.format(Locale.ROOT, "%nsize classes, %s memory%n", kind));
    text.append(
        String.format(
            Locale.ROOT,
            "%10s %10s %14s %14s %14s%n",
            "block",
            "pages",
            "page bytes",
            "live blocks",
            "free blocks"));
    for (SizeClass row : memory.sizeClasses()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%,10d %,10d %,14d %,14d %,14d%n",
              row.blockBytes(),
              row.pages(),
              row.pageBytes(),
              row.liveBlocks(),
              row.freeBlocks()));
    }
  }

  private void title(String title) {
    text.append(text.isEmpty() ? "" : System.lineSeparator());
    text.append(String.format(Locale.ROOT, "%-24s %19s %19s%n", title, "direct", "heap"));
  }

  private void bytes(String name, ToLongFunction<Bytes> figure) {
    row(name, figure.applyAsLong(direct.bytes()), figure.applyAsLong(heap.bytes()));
  }

  private void heaps(String name, ToLongFunction<ThreadHeaps> figure) {
    row(name, figure.applyAsLong(direct.threadHeaps()), figure.applyAsLong(heap.threadHeaps()));
  }

  private void counts(String name, ToLongFunction<Counts> figure) {
    row(name, figure.applyAsLong(direct.counts()), figure.applyAsLong(heap.counts()));
  }

  private void row(String name, long ofDirect, long ofHeap) {
    text.append(String.format(Locale.ROOT, "%-24s %,19d %,19d%n", name, ofDirect, ofHeap));
  }
}
