package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that the user's files hold, for people: first where another allocator did better. */
final class Report {
  /** With three digits behind the point: 0.998 is not 1.00. */
  private static final List<Column<Against>> AGAINST =
      List.of(
          new Column<>("benchmark", Against::benchmark),
          new Column<>("parameters", Against::parameters),
          new Column<>("allocator", Against::allocator),
          new Column<>("measure", Against::measure),
          new Column<>("ratio", one -> one.ratio().text("%.3f")),
          new Column<>("min..max", Report::range));

  private final ResultFiles files;
  private final Setups setups;
  private final JmhReport jmh;

  Report(ResultFiles files) {
    this.files = files;
    setups = new Setups(files);
    jmh = new JmhReport(files.results(), setups);
  }

  Document document() {
    Document document = new Document("Allocators compared");
    setups.warning().ifPresent(document::warning);
    addAgainst(document);
    if (!files.results().isEmpty()) {
      jmh.addTo(document);
    }
    for (CommandReport report : files.reports()) {
      document.heading(report.title() + which(report));
      report.addTo(document);
    }
    document.heading("Environment");
    files.notes().forEach(document::paragraph);
    return document.preformatted(setups.lines());
  }

  private void addAgainst(Document document) {
    List<Against> all = new ArrayList<>(jmh.against());
    for (CommandReport report : files.reports()) {
      report.against().forEach(one -> all.add(one.ofRun(which(report))));
    }
    all.removeIf(one -> one.allocator().equals(AllocatorSource.BARE_NAME)); // nobody can choose it
    document.heading("Losses of MIMALLOC");
    if (all.isEmpty()) {
      document.paragraph("These results have nothing to compare MIMALLOC with.");
      return;
    }
    all.removeIf(one -> !one.isLoss());
    all.sort(Comparator.comparingDouble(one -> one.ratio().middle()));
    if (all.isEmpty()) {
      document.paragraph("No other allocator did better than MIMALLOC in these results.");
      return;
    }
    document.paragraph(
        "Results in which another allocator did better, the worst first. If a range includes 1,"
            + " another run may give the opposite result. None is shown if there is one value, or if"
            + " all are equal.");
    document.table(Table.of(4, AGAINST, all));
  }

  private static String range(Against one) {
    Spread ratio = one.ratio();
    return ratio.low() == ratio.high() ? Table.NONE : ratio.range("%.3f");
  }

  /** The plots of the reports that have one. No two have the same title. */
  List<RangePlot> plots() {
    Map<RangePlot, CommandReport> plots = new LinkedHashMap<>();
    files.reports().forEach(report -> report.plot().ifPresent(plot -> plots.put(plot, report)));
    List<String> titles = plots.keySet().stream().map(RangePlot::title).toList();
    List<RangePlot> titled = new ArrayList<>();
    plots.forEach(
        (plot, report) -> {
          boolean unique = Collections.frequency(titles, plot.title()) == 1;
          titled.add(unique ? plot : plot.titled(plot.title() + which(report)));
        });
    return titled;
  }

  /** What tells one run of a command from others of the same. */
  private String which(CommandReport report) {
    List<CommandReport> same =
        files.reports().stream().filter(other -> other.command().equals(report.command())).toList();
    String run = same.size() > 1 ? ", run " + (same.indexOf(report) + 1) : "";
    return setups.areMixed() ? run + ", environment " + setups.letter(report.setup()) : run;
  }
}
