package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.endtoend.Summary.Figure;
import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A block of rows for each figure, and charts of the ratios. */
final class EndToEndReport extends CommandReport {
  private static final String LEGEND =
      "Median and min..max are those of the rounds. Ratio: the figure divided by "
          + Summary.REFERENCE
          + "'s of the same round, of requests/s the inverse, so that above 1 "
          + Summary.REFERENCE
          + " did better. CPU: of the server's whole process. Used: peak of what the allocator"
          + " held. Resident: peak of what the process had in memory, its Java heap of 256 MiB"
          + " included.";

  private static final String SHARED =
      "Client and server share the processors: the CPU time of a request says more about an"
          + " allocator than requests/s and latencies do.";

  private static final List<Column<Summary>> COLUMNS =
      List.of(
          new Column<>("figure", one -> one.figure().title),
          new Column<>("allocator", one -> one.allocator().name()),
          new Column<>("median", one -> cell(one.values(), v -> v.text(one.figure().format))),
          new Column<>("min..max", one -> cell(one.values(), v -> v.range(one.figure().format))),
          new Column<>("ratio", one -> cell(one.ratio(), Spread::text)),
          new Column<>("min..max of it", one -> cell(one.ratio(), Spread::range)));

  /** A larger change of the processor time for a request says that the warm-up was too short. */
  private static final double SETTLED = 0.15;

  /**
   * What a chart shows: not the slowest single request, which is mostly chance, and not speed and
   * memory together, whose ratios differ so much that the smaller ones would be hard to see.
   */
  private static final Set<Figure> SPEED = EnumSet.range(Figure.THROUGHPUT, Figure.P999);

  private static final Set<Figure> MEMORY = EnumSet.of(Figure.USED, Figure.RESIDENT);

  private final EndToEndResults results;

  EndToEndReport(EndToEndResults results) {
    super("end-to-end", "An HTTP server under load", results.setup());
    this.results = results;
    if (results.rounds().isEmpty()) {
      throw new IllegalArgumentException("no rounds in it");
    }
  }

  private List<Summary> withRatios() {
    return results.summary().stream().filter(summary -> summary.ratio() != null).toList();
  }

  @Override
  public List<Against> against() {
    return withRatios().stream()
        .map(
            summary ->
                new Against(
                    command(),
                    results.load().brief(),
                    summary.allocator().name(),
                    summary.figure().title,
                    summary.ratio()))
        .filter(Against::isLoss)
        .toList();
  }

  @Override
  public void addTo(Document document) {
    document.paragraph(results.load().text()).paragraph(LEGEND).paragraph(SHARED);
    unsteady().forEach(document::paragraph);
    errors().forEach(document::paragraph);
    document.chart(chart("Speed: ratio, with the range of the rounds", SPEED));
    document.chart(chart("Memory: ratio, with the range of the rounds", MEMORY));
    document.table(Table.of(2, COLUMNS, results.summary()).grouped());
  }

  private List<String> unsteady() {
    Map<AllocatorKind, List<Double>> cpu = new LinkedHashMap<>();
    for (Round round : results.rounds()) {
      Double value = Figure.CPU.of(round);
      if (value != null) {
        cpu.computeIfAbsent(round.allocator(), allocator -> new ArrayList<>()).add(value);
      }
    }
    List<String> lines = new ArrayList<>();
    cpu.forEach(
        (allocator, values) -> {
          double change = values.get(values.size() - 1) / values.get(0) - 1;
          if (Math.abs(change) > SETTLED) {
            String line =
                "Unsteady: %s: CPU of a request changed by %+.0f %% from first to last round.";
            lines.add(String.format(Locale.ROOT, line, allocator, 100 * change));
          }
        });
    return lines;
  }

  /** A file may be all that is left of a run that complained. */
  private List<String> errors() {
    return results.rounds().stream()
        .filter(round -> round.load().errors() > 0)
        .map(
            round ->
                "Errors: round %d, %s: %d; figures of a load with errors are no result."
                    .formatted(round.round() + 1, round.allocator(), round.load().errors()))
        .toList();
  }

  private static String cell(@Nullable Spread spread, Function<Spread, String> text) {
    return spread == null ? Table.NONE : text.apply(spread);
  }

  private Chart chart(String caption, Set<Figure> figures) {
    List<Summary> shown =
        withRatios().stream().filter(one -> figures.contains(one.figure())).toList();
    List<Figure> groups = shown.stream().map(Summary::figure).distinct().toList();
    Chart chart =
        Chart.bars(
            caption,
            "times " + Summary.REFERENCE + "'s",
            groups.stream().map(f -> f.moreIsBetter() ? f.title + ", inverse" : f.title).toList());
    for (AllocatorKind peer : shown.stream().map(Summary::allocator).distinct().toList()) {
      chart.series(
          peer.name(),
          shown.stream()
              .filter(summary -> summary.allocator() == peer)
              .map(summary -> summary.ratio().at(groups.indexOf(summary.figure())))
              .toList());
    }
    return chart.mark(Summary.REFERENCE.name(), 1);
  }
}
