package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.Against;
import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.CommandReport;
import io.github.mimalloc4j.microbench.Ratio;
import io.github.mimalloc4j.microbench.Setup;
import io.github.mimalloc4j.microbench.page.HtmlPage;
import io.github.mimalloc4j.microbench.page.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result for people: a page of its own or a part of one, and the same without charts. */
public final class FootprintReport implements CommandReport {
  private static final String COMMAND = "footprint";
  private static final AllocatorKind REFERENCE = AllocatorKind.MIMALLOC;

  private static final String SAME_PHASES =
      "Each allocator went through the same phases, one after the other, in a JVM of its own. In"
          + " the shaded phases no thread allocates or releases anything: what an allocator holds"
          + " there above the live bytes is of use to nobody. It is one run of each: a second may"
          + " differ by some per cent.";

  private static final String MEASURES =
      "Live: the capacities of all buffers that the program has not released, as it counts them"
          + " itself. Used: what the allocator holds, by its own metric. Resident: what the process"
          + " has in the machine's memory, the JVM and its Java heap of 128 MiB included, and what"
          + " the C library has not given back to the system. Sampled every 50 ms, at the"
          + " borders of phases and when most is live; figures in MiB.";

  private static final String RESIDENT_UNKNOWN =
      "This system does not tell what is resident, so that measure is missing.";

  private final FootprintResults results;
  private final Map<AllocatorKind, Timeline> timelines = new LinkedHashMap<>();
  private final FootprintTables tables;
  private final FootprintCharts charts;

  /**
   * Makes a report.
   *
   * @throws IllegalArgumentException if an allocator has no samples of one of the phases
   */
  public FootprintReport(FootprintResults results) {
    this.results = results;
    results.samples().forEach((allocator, own) -> timelines.put(allocator, new Timeline(own)));
    tables = new FootprintTables(timelines);
    charts = new FootprintCharts(timelines);
  }

  @Override
  public String command() {
    return COMMAND;
  }

  @Override
  public String title() {
    return "Memory over time";
  }

  @Override
  public Setup setup() {
    return results.setup();
  }

  /** Used while something is done, and what is still held when nothing is. */
  @Override
  public List<Against> against() {
    Timeline ours = timelines.get(REFERENCE);
    List<Against> all = new ArrayList<>();
    if (ours != null) {
      timelines.forEach(
          (allocator, timeline) -> {
            for (Phase phase : Phase.values()) {
              addAgainst(all, phase, allocator, timeline.figures(phase), ours.figures(phase));
            }
          });
    }
    return all;
  }

  private static void addAgainst(
      List<Against> all,
      Phase phase,
      AllocatorKind allocator,
      Timeline.Figures theirs,
      Timeline.Figures ours) {
    if (!phase.idle()) {
      add(all, phase, allocator, "peak of used memory", theirs.peakUsed(), ours.peakUsed());
      return;
    }
    add(all, phase, allocator, "used memory at its end", theirs.endUsed(), ours.endUsed());
    if (theirs.endResident().isPresent() && ours.endResident().isPresent()) {
      add(
          all,
          phase,
          allocator,
          "resident memory at its end",
          theirs.endResident().getAsLong(),
          ours.endResident().getAsLong());
    }
  }

  private static void add(
      List<Against> all,
      Phase phase,
      AllocatorKind allocator,
      String measure,
      long theirs,
      long ours) {
    if (theirs < ours) {
      double ratio = (double) theirs / ours;
      all.add(
          new Against(
              COMMAND, phase.title(), allocator.name(), measure, new Ratio(ratio, ratio, ratio)));
    }
  }

  @Override
  public List<Table> tables() {
    return List.of(tables.summary(), tables.figures());
  }

  @Override
  public List<String> notes() {
    List<String> notes = new ArrayList<>(List.of(SAME_PHASES, MEASURES));
    if (!charts.residentIsKnown()) {
      notes.add(RESIDENT_UNKNOWN);
    }
    notes.add(plan());
    return notes;
  }

  private String plan() {
    FootprintPlan plan = results.plan();
    return "Burst: %d MiB; each phase: %s s; %d event loops; threads started of each kind: %d"
        .formatted(
            plan.burstBytes() >> 20, plan.phase().toMillis() / 1000.0, Loops.COUNT, plan.threads());
  }

  @Override
  public void addTo(HtmlPage page) {
    notes().forEach(page::paragraph);
    page.table(tables.summary());
    addCharts(page);
    page.list(phases());
    page.table(tables.figures());
  }

  private void addCharts(HtmlPage page) {
    page.chart(charts.used(), "Used: what each allocator holds");
    if (charts.residentIsKnown()) {
      page.chart(charts.resident(), "Resident: what each process has in the machine's memory");
    }
    for (AllocatorKind allocator : timelines.keySet()) {
      page.chart(charts.of(allocator), allocator + ": used, live and resident");
    }
  }

  private static List<String> phases() {
    return Arrays.stream(Phase.values())
        .map(phase -> phase.title() + ": " + phase.description())
        .toList();
  }

  /** The tables in Markdown. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(tables.figures().toMarkdown());
    lines.add(tables.summary().toMarkdown());
    lines.addAll(notes());
    lines.add("");
    lines.addAll(setup().lines());
    return String.join("\n", lines) + "\n";
  }

  /** A page of its own. */
  String html() {
    HtmlPage page = new HtmlPage("Memory of allocators, phase by phase");
    addTo(page);
    page.heading("Environment").preformatted(setup().lines());
    return page.render();
  }
}
