package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all allocators, phase by phase. In charts, a phase begins at the same place for all
 * allocators, even if one took longer than the others.
 */
final class FootprintReport extends CommandReport {
  private static final String SAME_PHASES =
      "Each allocator ran the same phases in a JVM of its own. In the shaded phases no thread"
          + " allocates or releases, so the memory held above the live bytes is unused. Each"
          + " allocator ran once; another run may differ by a few percent.";

  private static final String MEASURES =
      "Live: the capacities of all buffers that the program has not released, by its own count."
          + " Used: the memory that the allocator holds, by its own metric. Resident: the resident"
          + " memory of the process without its Java heap, including the JVM and what the C library"
          + " has not given back to the system. Sampled every 50 ms, at the ends of phases, and at"
          + " the peaks of live memory; figures in MiB.";

  /** The figures that most people want to know. */
  private static final List<Column<Map.Entry<String, Timeline>>> SUMMARY =
      List.of(
          new Column<>("allocator", Map.Entry::getKey),
          column("burst: peak resident MiB", all -> mib(all.peakResident(Phase.BURST))),
          column("idle after it: resident MiB", all -> mib(all.end(Phase.BURST_IDLE).resident())),
          column("used MiB", all -> mib(all.end(Phase.BURST_IDLE).used())),
          column("nothing left: resident MiB", all -> mib(all.end(Phase.END_IDLE).resident())),
          column("used MiB", all -> mib(all.end(Phase.END_IDLE).used())),
          column(
              "burst: peak used ÷ live",
              all -> ratio("%.2f", all.peakUsed(Phase.BURST), all.peakLive(Phase.BURST))),
          column("10 % left: used ÷ live", all -> usedToLive(all.end(Phase.SCATTER_IDLE))));

  private record Row(Phase phase, String allocator, Timeline timeline) {
    Sample end() {
      return timeline.end(phase);
    }
  }

  private static final List<Column<Row>> FIGURES =
      List.of(
          new Column<>("phase", row -> row.phase().title()),
          new Column<>("allocator", Row::allocator),
          new Column<>("peak used MiB", row -> mib(row.timeline().peakUsed(row.phase()))),
          new Column<>("peak live MiB", row -> mib(row.timeline().peakLive(row.phase()))),
          new Column<>("end: used MiB", row -> mib(row.end().used())),
          new Column<>("end: used ÷ live", row -> usedToLive(row.end())),
          new Column<>("end: resident MiB", row -> mib(row.end().resident())));

  private final FootprintResults results;
  private final Map<String, Timeline> timelines = new LinkedHashMap<>();
  private final long[] starts;

  FootprintReport(FootprintResults results) {
    super("footprint", "Memory over time", results.setup());
    this.results = results;
    results.samples().forEach((allocator, own) -> timelines.put(allocator, new Timeline(own)));
    if (timelines.isEmpty()) {
      throw new IllegalArgumentException("it has no samples");
    }
    starts = Timeline.commonStarts(timelines.values());
  }

  @Override
  public List<Against> against() {
    List<Against> all = new ArrayList<>();
    Timeline ours = timelines.get(Against.REFERENCE);
    if (ours == null) {
      return all;
    }
    timelines.forEach(
        (allocator, theirs) -> {
          if (theirs == ours) {
            return;
          }
          for (Phase phase : Phase.values()) {
            Map<String, @Nullable Long> reference = compared(phase, ours);
            compared(phase, theirs)
                .forEach(
                    (measure, bytes) -> {
                      Long own = reference.get(measure);
                      if (bytes != null && own != null && own != 0) {
                        Spread ratio = Spread.of((double) bytes / own);
                        all.add(new Against(command(), phase.title(), allocator, measure, ratio));
                      }
                    });
          }
        });
    return all;
  }

  /** The peak of a busy phase, and what is still held at the end of an idle one. */
  private static Map<String, @Nullable Long> compared(Phase phase, Timeline timeline) {
    Map<String, @Nullable Long> measures = new LinkedHashMap<>();
    if (phase.idle()) {
      measures.put("used memory at the end", timeline.end(phase).used());
      measures.put("resident memory at the end", timeline.end(phase).resident());
    } else {
      measures.put("peak of used memory", timeline.peakUsed(phase));
    }
    return measures;
  }

  @Override
  public void addTo(Document document) {
    FootprintPlan plan = results.plan();
    document.paragraph(SAME_PHASES).paragraph(MEASURES);
    if (!residentIsKnown()) {
      document.paragraph("This system does not report resident memory, so it is missing.");
    }
    document.paragraph(
        "Burst: %d MiB; each phase: %s s; %d event loops; threads started of each kind: %d"
            .formatted(
                plan.burstBytes() >> 20,
                plan.phase().toMillis() / 1000.0,
                Driver.LOOPS,
                plan.threads()));
    document.table(Table.of(1, SUMMARY, List.copyOf(timelines.entrySet())));
    document.chart(compare("Used: the memory that each allocator holds", Sample::used));
    if (residentIsKnown()) {
      document.chart(
          compare("Resident: the memory of each process without its Java heap", Sample::resident));
    }
    document.list(
        Arrays.stream(Phase.values())
            .map(phase -> phase.title() + ": " + phase.description())
            .toList());
    document.table(Table.of(2, FIGURES, rows()).grouped());
  }

  /** The allocators next to each other, phase by phase. */
  private List<Row> rows() {
    return Arrays.stream(Phase.values())
        .flatMap(
            phase ->
                timelines.entrySet().stream()
                    .map(own -> new Row(phase, own.getKey(), own.getValue())))
        .toList();
  }

  private boolean residentIsKnown() {
    return timelines.values().stream()
        .allMatch(timeline -> timeline.end(Phase.END_IDLE).resident() != null);
  }

  private static Column<Map.Entry<String, Timeline>> column(
      String name, Function<Timeline, String> cell) {
    return new Column<>(name, own -> cell.apply(own.getValue()));
  }

  private static String usedToLive(Sample sample) {
    return ratio("%.2f", sample.used(), sample.live());
  }

  private static String mib(@Nullable Long bytes) {
    return Table.mib("%.1f", bytes);
  }

  private static String ratio(String format, @Nullable Long bytes, long whole) {
    return Table.cell(format, bytes == null || whole == 0 ? null : (double) bytes / whole);
  }

  /** One measure of all allocators; live, which is the same for all of them, behind it. */
  private Chart compare(String caption, Function<Sample, @Nullable Long> measure) {
    Timeline any = timelines.values().iterator().next();
    Chart chart = chart(caption).series("live", points(any, Sample::live));
    timelines.forEach((allocator, timeline) -> chart.series(allocator, points(timeline, measure)));
    return chart;
  }

  private Chart chart(String caption) {
    Chart chart =
        Chart.lines(
            caption,
            new Chart.Axis("seconds", Chart.Scale.LINEAR),
            new Chart.Axis("MiB", Chart.Scale.LINEAR));
    for (Phase phase : Phase.values()) {
      double from = Chart.seconds(starts[phase.ordinal()]);
      double to = Chart.seconds(starts[phase.ordinal() + 1]);
      chart.band(phase.label(), from, to, phase.idle());
    }
    return chart;
  }

  private List<double[]> points(Timeline timeline, Function<Sample, @Nullable Long> measure) {
    List<double[]> points = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      for (Sample sample : timeline.samples(phase)) {
        Long bytes = measure.apply(sample);
        if (bytes != null) {
          long micros = starts[phase.ordinal()] + timeline.microsWithin(sample);
          points.add(Chart.memory(Chart.seconds(micros), bytes));
        }
      }
    }
    return points;
  }
}
