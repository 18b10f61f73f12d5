package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** The figures of a result as tables. */
final class FootprintTables {
  private static final double MIB = 1 << 20;
  private static final String NONE = "-";

  private static final List<String> SUMMARY =
      List.of(
          "allocator",
          "burst: peak used ÷ live",
          "idle after it: used MiB",
          "idle after it: % of peak",
          "10 % left: used ÷ live",
          "nothing left: used MiB",
          "nothing left: resident MiB");

  private static final List<String> FIGURES =
      List.of(
          "phase",
          "allocator",
          "peak used MiB",
          "peak live MiB",
          "end: used MiB",
          "end: used ÷ live",
          "end: resident MiB");

  private final Map<AllocatorKind, Timeline> timelines;

  FootprintTables(Map<AllocatorKind, Timeline> timelines) {
    this.timelines = timelines;
  }

  /** What most people want to know: a row for each allocator. */
  Table summary() {
    List<List<String>> rows = new ArrayList<>();
    timelines.forEach(
        (allocator, timeline) -> {
          Timeline.Figures burst = timeline.figures(Phase.BURST);
          Timeline.Figures afterwards = timeline.figures(Phase.BURST_IDLE);
          Timeline.Figures scattered = timeline.figures(Phase.SCATTER_IDLE);
          Timeline.Figures end = timeline.figures(Phase.END_IDLE);
          rows.add(
              List.of(
                  allocator.name(),
                  ratio(burst.peakUsed(), burst.peakLive()),
                  mib(afterwards.endUsed()),
                  percent(afterwards.endUsed(), burst.peakUsed()),
                  ratio(scattered.endUsed(), scattered.endLive()),
                  mib(end.endUsed()),
                  mib(end.endResident())));
        });
    return new Table(SUMMARY, 1, rows);
  }

  /** All figures: the allocators next to each other, phase by phase. */
  Table figures() {
    List<List<String>> rows = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      String title = phase.title();
      for (Map.Entry<AllocatorKind, Timeline> entry : timelines.entrySet()) {
        Timeline.Figures figures = entry.getValue().figures(phase);
        rows.add(
            List.of(
                title,
                entry.getKey().name(),
                mib(figures.peakUsed()),
                mib(figures.peakLive()),
                mib(figures.endUsed()),
                ratio(figures.endUsed(), figures.endLive()),
                mib(figures.endResident())));
        title = "";
      }
    }
    return new Table(FIGURES, 2, rows);
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / MIB);
  }

  private static String mib(OptionalLong bytes) {
    return bytes.isPresent() ? mib(bytes.getAsLong()) : NONE;
  }

  private static String ratio(long bytes, long live) {
    return live > 0 ? String.format(Locale.ROOT, "%.2f", (double) bytes / live) : NONE;
  }

  private static String percent(long bytes, long whole) {
    return whole > 0 ? String.format(Locale.ROOT, "%.1f", 100.0 * bytes / whole) : NONE;
  }
}
