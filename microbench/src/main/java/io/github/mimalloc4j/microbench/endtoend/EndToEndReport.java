package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.Against;
import io.github.mimalloc4j.microbench.AllocatorColours;
import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.CommandReport;
import io.github.mimalloc4j.microbench.Ratio;
import io.github.mimalloc4j.microbench.Setup;
import io.github.mimalloc4j.microbench.endtoend.Summary.Spread;
import io.github.mimalloc4j.microbench.page.BarChart;
import io.github.mimalloc4j.microbench.page.HtmlPage;
import io.github.mimalloc4j.microbench.page.Table;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results for people: a table, a block of rows for each figure, and a chart of the ratios. */
public final class EndToEndReport implements CommandReport {
  private static final String COMMAND = "end-to-end";

  private static final List<String> HEADER =
      List.of("figure", "allocator", "median", "min..max", "ratio", "min..max of it");

  /** Figure and allocator; the others are numbers. */
  private static final int TEXT_COLUMNS = 2;

  private static final String NONE = "-";

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

  /** A larger change of the processor time for a request says that the warm-up was too short. */
  private static final double SETTLED = 0.15;

  /**
   * What a chart shows: not the slowest single request, which is mostly chance, and not speed and
   * memory together, whose ratios differ so much that the smaller ones would be hard to see.
   */
  private static final Set<Figure> SPEED = EnumSet.range(Figure.THROUGHPUT, Figure.P999);

  private static final Set<Figure> MEMORY = EnumSet.of(Figure.USED, Figure.RESIDENT);

  private final EndToEndResults results;
  private final List<Summary> summaries;

  /** Makes one. */
  public EndToEndReport(EndToEndResults results) {
    this.results = results;
    summaries = Summary.of(results.rounds());
  }

  @Override
  public String command() {
    return COMMAND;
  }

  @Override
  public String title() {
    return "An HTTP server under load";
  }

  @Override
  public Setup setup() {
    return results.setup();
  }

  @Override
  public List<Against> against() {
    List<Against> all = new ArrayList<>();
    for (Summary summary : summaries) {
      Ratio ratio = summary.ratio();
      if (ratio != null && ratio.isAgainstReference()) {
        all.add(
            new Against(
                COMMAND,
                results.load().brief(),
                summary.allocator().name(),
                summary.figure().title(),
                ratio));
      }
    }
    return all;
  }

  @Override
  public List<Table> tables() {
    List<List<String>> rows = new ArrayList<>();
    @Nullable Figure last = null;
    for (Summary summary : summaries) {
      Figure figure = summary.figure();
      List<String> row = new ArrayList<>();
      row.add(figure == last ? "" : figure.title());
      row.add(summary.allocator().name());
      Spread values = summary.values();
      row.add(values == null ? NONE : figure.format(values.median()));
      row.add(
          values == null ? NONE : figure.format(values.min()) + ".." + figure.format(values.max()));
      Ratio ratio = summary.ratio();
      row.add(ratio == null ? NONE : ratio.text());
      row.add(ratio == null ? NONE : ratio.spread());
      rows.add(row);
      last = figure;
    }
    return List.of(new Table(HEADER, TEXT_COLUMNS, rows));
  }

  @Override
  public List<String> notes() {
    List<String> notes = new ArrayList<>(List.of(results.load().text(), LEGEND, SHARED));
    notes.addAll(unsteady());
    notes.addAll(errors());
    return notes;
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
            lines.add(
                String.format(
                    Locale.ROOT,
                    "Unsteady: %s: CPU of a request changed by %+.0f %% from first to last round.",
                    allocator,
                    100 * change));
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

  @Override
  public void addTo(HtmlPage page) {
    notes().forEach(page::paragraph);
    chart(SPEED)
        .ifPresent(chart -> page.chart(chart, "Speed: ratio, with the range of the rounds"));
    chart(MEMORY)
        .ifPresent(chart -> page.chart(chart, "Memory: ratio, with the range of the rounds"));
    tables().forEach(page::table);
  }

  private Optional<BarChart> chart(Set<Figure> shown) {
    Map<Figure, Map<AllocatorKind, Ratio>> ratios = new LinkedHashMap<>();
    List<AllocatorKind> peers = new ArrayList<>();
    for (Summary summary : summaries) {
      Ratio ratio = summary.ratio();
      if (ratio != null && shown.contains(summary.figure())) {
        ratios
            .computeIfAbsent(summary.figure(), figure -> new LinkedHashMap<>())
            .put(summary.allocator(), ratio);
        if (!peers.contains(summary.allocator())) {
          peers.add(summary.allocator());
        }
      }
    }
    if (ratios.isEmpty()) {
      return Optional.empty();
    }
    BarChart chart =
        new BarChart(
            "times " + Summary.REFERENCE + "'s",
            ratios.keySet().stream().map(EndToEndReport::label).toList());
    for (AllocatorKind peer : peers) {
      chart.bars(
          peer.name(),
          AllocatorColours.of(peer.name()),
          ratios.values().stream()
              .map(own -> Optional.ofNullable(own.get(peer)).map(EndToEndReport::bar))
              .toList());
    }
    return Optional.of(chart.mark(Summary.REFERENCE.name(), 1));
  }

  private static String label(Figure figure) {
    return figure.moreIsBetter() ? figure.title() + ", inverse" : figure.title();
  }

  private static BarChart.Bar bar(Ratio ratio) {
    return new BarChart.Bar(ratio.middle(), ratio.low(), ratio.high());
  }
}
