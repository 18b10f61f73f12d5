package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.Environment;
import io.github.mimalloc4j.microbench.page.HtmlPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result for people: a web page, and the same without charts for the terminal. */
final class FootprintReport {
  private static final String MEASURES =
      "Live: the capacities of all buffers that the program has not released, as it counts them"
          + " itself. Used: what the allocator holds, by its own metric. Resident: what the process"
          + " has in the machine's memory, the JVM and its Java heap of 128 MiB included, and what"
          + " the C library has not given back to the system. Sampled every 50 ms, at the"
          + " borders of phases and when most is live; figures in MiB.";

  private static final String RESIDENT_UNKNOWN =
      "This system does not tell what is resident, so that measure is missing.";

  private final FootprintPlan plan;
  private final Map<AllocatorKind, Timeline> timelines = new LinkedHashMap<>();
  private final List<String> flags;
  private final FootprintTables tables;
  private final FootprintCharts charts;

  /**
   * Makes a report.
   *
   * @param plan what was asked for
   * @param samples of each allocator, in the order in which to show them
   * @param flags the flags of the JVMs in which they were taken
   */
  FootprintReport(
      FootprintPlan plan, Map<AllocatorKind, List<Sample>> samples, List<String> flags) {
    this.plan = plan;
    this.flags = flags;
    samples.forEach((allocator, own) -> timelines.put(allocator, new Timeline(own)));
    tables = new FootprintTables(timelines);
    charts = new FootprintCharts(timelines);
  }

  /** The tables in Markdown. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(tables.figures().toMarkdown());
    lines.add(tables.summary().toMarkdown());
    lines.add(MEASURES);
    if (!charts.residentIsKnown()) {
      lines.add(RESIDENT_UNKNOWN);
    }
    lines.add("");
    lines.addAll(environment());
    return String.join("\n", lines) + "\n";
  }

  /** The page. */
  String html() {
    HtmlPage page = new HtmlPage("Memory of allocators, phase by phase");
    page.paragraph(
        "Each allocator went through the same phases, one after the other, in a JVM of its own."
            + " In the shaded phases no thread allocates or releases anything: what an allocator"
            + " holds there above the live bytes is of use to nobody.");
    page.paragraph(MEASURES);
    if (!charts.residentIsKnown()) {
      page.paragraph(RESIDENT_UNKNOWN);
    }
    page.heading("In short").table(tables.summary());
    page.heading("All allocators");
    page.chart(charts.used(), "Used: what each allocator holds");
    if (charts.residentIsKnown()) {
      page.chart(charts.resident(), "Resident: what each process has in the machine's memory");
    }
    page.heading("Each allocator");
    for (AllocatorKind allocator : timelines.keySet()) {
      page.chart(charts.of(allocator), allocator.optionName());
    }
    page.heading("The phases").list(phases());
    page.heading("All figures").table(tables.figures());
    page.heading("Environment").preformatted(environment());
    return page.render();
  }

  private static List<String> phases() {
    return Arrays.stream(Phase.values())
        .map(phase -> phase.title() + ": " + phase.description())
        .toList();
  }

  private List<String> environment() {
    List<String> lines = new ArrayList<>(Environment.machine());
    lines.add("Flags of the measured JVMs: " + String.join(" ", flags));
    lines.add(
        "Burst: %d MiB; each phase: %s s; %d event loops; threads started of each kind: %d"
            .formatted(
                plan.burstBytes() >> 20,
                plan.phase().toMillis() / 1000.0,
                Loops.COUNT,
                plan.threads()));
    return lines;
  }
}
