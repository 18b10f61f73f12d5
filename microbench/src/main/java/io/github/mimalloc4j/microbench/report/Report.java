package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.Against;
import io.github.mimalloc4j.microbench.CommandReport;
import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.HtmlPage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Results for people: a web page, and the same without charts for the terminal. */
final class Report {
  private static final String METHOD =
      "Ratio: the time of an operation with the other allocator, divided by that with MIMALLOC (of"
          + " throughputs the inverse), so that above 1 MIMALLOC is faster. Each fork, that is,"
          + " each JVM, counts with the median of its iterations. The ratio is the median of the"
          + " ratios of all pairs of forks, and min..max, the line on a bar, goes from the smallest"
          + " to the largest of these. Time: the median of the forks.";

  private static final String ONE_FORK =
      "Some results are of one fork only. There the iterations stand for forks, and the spread"
          + " says nothing of the differences between JVMs: ";

  private static final String BARE =
      "BARE is no allocator, but ready-made buffers on a stack: the floor of what is possible.";

  private static final String MEMORY =
      "Used: the most that the allocator held. Live: the most that the benchmark had asked for and"
          + " not released. Resident: the most that the JVM had in the machine's memory. GCs:"
          + " garbage collections while it was measured. These are known with the option -prof"
          + " io.github.mimalloc4j.microbench.SideResultsProfiler, and the garbage with -prof gc.";

  private static final String WORKERS =
      "Some benchmarks start threads of their own, the number of which is a parameter. An operation"
          + " is then one of each of these threads, side by side: where the time of an operation"
          + " is level, the threads do not hinder each other.";

  private static final String CPU =
      "By CPU time: the ratio of the processor time, which leaves out the time in which other"
          + " programs had the processor.";

  private final ResultFiles files;
  private final Setups setups;
  private final Comparisons comparisons;
  private final ReportTables tables;
  private final ReportCharts charts;

  Report(ResultFiles files) {
    this.files = files;
    setups = new Setups(files);
    comparisons = new Comparisons(files.results(), setups);
    tables = new ReportTables(comparisons);
    charts = new ReportCharts(comparisons);
  }

  /** The tables in Markdown. */
  String text() {
    List<String> lines = new ArrayList<>();
    setups.warning().ifPresent(warning -> lines.add("Warning: " + warning + "\n"));
    List<Against> against = against();
    if (!against.isEmpty()) {
      lines.add("Against MIMALLOC:\n");
      lines.add(ReportTables.against(against).toMarkdown());
    }
    if (!files.results().isEmpty()) {
      lines.add("All results:\n");
      lines.add(tables.speed().toMarkdown());
      lines.addAll(notes());
      lines.add("");
    }
    for (CommandReport report : files.reports()) {
      lines.add(title(report) + ":\n");
      report.tables().forEach(table -> lines.add(table.toMarkdown()));
      lines.addAll(report.notes());
      lines.add("");
    }
    lines.addAll(setups.lines());
    return String.join("\n", lines) + "\n";
  }

  private List<Against> against() {
    List<Against> all = new ArrayList<>(tables.against());
    for (CommandReport report : files.reports()) {
      for (Against one : report.against()) {
        all.add(
            new Against(
                one.benchmark(),
                one.parameters() + which(report),
                one.allocator(),
                one.measure(),
                one.ratio()));
      }
    }
    return all;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(List.of(METHOD));
    List<String> single =
        comparisons.all().stream()
            .filter(comparison -> !comparison.hasForks())
            .map(comparison -> comparison.work().benchmark())
            .distinct()
            .toList();
    if (!single.isEmpty()) {
      notes.add(ONE_FORK + String.join(", ", single) + ".");
    }
    if (Comparisons.allocators(comparisons.all()).contains(Comparison.FLOOR)) {
      notes.add(BARE);
    }
    if (comparisons.all().stream().anyMatch(Comparison::hasCpuTime)) {
      notes.add(CPU);
    }
    for (String benchmark : comparisons.benchmarks()) {
      String constants = comparisons.constants(benchmark);
      if (!constants.isEmpty()) {
        notes.add(benchmark + ", in all rows: " + constants + ".");
      }
    }
    return notes;
  }

  /** The page. */
  String html() {
    HtmlPage page = new HtmlPage("Allocators compared");
    setups.warning().ifPresent(page::warning);
    addAgainst(page);
    if (!files.results().isEmpty()) {
      addRatios(page);
      addFamilies(page);
    }
    for (CommandReport report : files.reports()) {
      page.heading(title(report));
      report.addTo(page);
    }
    if (!files.results().isEmpty()) {
      addMemory(page);
      page.heading("All results").table(tables.speed());
    }
    page.heading("Environment").preformatted(setups.lines());
    return page.render();
  }

  private String title(CommandReport report) {
    return report.title() + which(report);
  }

  /** What tells one run of a command from others of the same. */
  private String which(CommandReport report) {
    List<CommandReport> same =
        files.reports().stream().filter(other -> other.command().equals(report.command())).toList();
    String run = same.size() > 1 ? ", run " + (same.indexOf(report) + 1) : "";
    return setups.machines() > 1 ? run + ", environment " + setups.letter(report.setup()) : run;
  }

  private void addAgainst(HtmlPage page) {
    List<Against> against = against();
    page.heading("Against MIMALLOC");
    if (against.isEmpty()) {
      page.paragraph("In none of these results another allocator did better than MIMALLOC.");
    } else {
      page.paragraph(
          "Where another allocator did better, the worst first. A spread that goes beyond 1 says"
              + " that another run may come out otherwise.");
      page.table(ReportTables.against(against));
    }
  }

  private void addRatios(HtmlPage page) {
    page.heading("How many times as long others take");
    notes().forEach(page::paragraph);
    Set<Comparison> swept = new LinkedHashSet<>();
    Family.ofSizes(comparisons.all()).forEach(family -> swept.addAll(family.members().values()));
    boolean some = !swept.isEmpty();
    for (String benchmark : comparisons.benchmarks()) {
      List<Comparison> own = new ArrayList<>(comparisons.of(benchmark));
      own.removeAll(swept);
      some |= add(page, charts.ratios(own), benchmark);
    }
    if (!some) {
      page.paragraph("No result of MIMALLOC has one of the same work beside it.");
    }
  }

  private void addFamilies(HtmlPage page) {
    List<Family> threads = Family.ofThreads(comparisons.all());
    List<Family> workers = Family.ofWorkers(comparisons.all());
    if (!threads.isEmpty() || !workers.isEmpty()) {
      page.heading("Over threads");
    }
    threads.forEach(family -> add(page, charts.scaling(family), caption(family)));
    if (!workers.isEmpty()) {
      page.paragraph(WORKERS);
    }
    workers.forEach(family -> add(page, charts.overWorkers(family), caption(family)));
    List<Family> sizes = Family.ofSizes(comparisons.all());
    if (!sizes.isEmpty()) {
      page.heading("Over sizes");
    }
    for (Family family : sizes) {
      add(page, charts.ratios(family), caption(family) + ": ratio");
      add(page, charts.times(family), caption(family) + ": " + family.any().work().unit());
    }
  }

  private void addMemory(HtmlPage page) {
    if (comparisons.all().stream().anyMatch(Comparison::hasMemory)) {
      page.heading("Memory beside speed").paragraph(MEMORY);
      for (String benchmark : comparisons.benchmarks()) {
        add(page, charts.usedToLive(comparisons.of(benchmark)), benchmark + ": used ÷ live");
      }
      page.table(tables.memory());
    }
  }

  private String caption(Family family) {
    String label = comparisons.labelWithout(family.any(), family.axis());
    String benchmark = family.any().work().benchmark();
    return label.isEmpty() ? benchmark : benchmark + ", " + label;
  }

  private static boolean add(HtmlPage page, Optional<? extends Chart> chart, String caption) {
    chart.ifPresent(found -> page.chart(found, caption));
    return chart.isPresent();
  }
}
