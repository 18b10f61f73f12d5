package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Load;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Measured;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.endtoend.Summary.Figure;
import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All applications in one chart, losses first; then a block of rows for each figure. */
final class EndToEndReport extends CommandReport {
  private static final String LEGEND =
      "Figures are the median of the JVMs, with the range (min..max). Ratio: the figure divided by"
          + " that with "
          + Against.REFERENCE
          + " in the same round, inverted for requests/s. Above 1, "
          + Against.REFERENCE
          + " did better. CPU: processor time of the server, without the JIT compilers if their"
          + " share is listed below; where it is large, much code was not compiled yet. Garbage:"
          + " bytes of Java objects. Used: what the allocator held,"
          + " and resident: the memory of the process beside its Java heap; of each the most of"
          + " five samples a second, under both loads. Latencies"
          + " were measured at a fixed rate, half of what the slowest allocator without errors"
          + " sustained in the round (with a tool: half of that, or of what the command's own"
          + " client reached with it in the warm-up, if that is less), and count from the time at"
          + " which a request was due;"
          + " percentiles beyond which there is no request are left out. All other figures are from"
          + " the closed loop, unless stated otherwise.";

  private static final String SHARED =
      "Client and server share the processors, so the CPU time of a request says more about an"
          + " allocator than requests/s and latencies.";

  /** The ratios of one allocator under one workload. */
  private record Standing(String workload, String allocator, Map<Figure, Spread> ratios) {
    /** Those that are unknown come last. */
    double cpu() {
      @Nullable Spread ratio = ratios.get(Figure.CPU);
      return ratio == null ? Double.POSITIVE_INFINITY : ratio.middle();
    }
  }

  private static final List<Column<Standing>> STANDINGS =
      List.of(
          new Column<>("application", Standing::workload),
          new Column<>("allocator", Standing::allocator),
          new Column<>("CPU", one -> cell(one.ratios().get(Figure.CPU), Spread::text)),
          new Column<>("min..max", one -> cell(one.ratios().get(Figure.CPU), Spread::range)),
          ratio("CPU, fixed rate", Figure.CPU_FIXED),
          ratio("requests/s", Figure.THROUGHPUT),
          ratio("garbage", Figure.GARBAGE),
          ratio("p99", Figure.P99),
          ratio("used", Figure.USED),
          ratio("resident", Figure.RESIDENT));

  private static final List<Column<Summary>> COLUMNS =
      List.of(
          new Column<>("application", Summary::workload),
          new Column<>("figure", one -> one.figure().title),
          new Column<>("allocator", Summary::allocator),
          new Column<>("median", one -> cell(one.values(), v -> v.text(one.figure().format))),
          new Column<>("min..max", one -> cell(one.values(), v -> v.range(one.figure().format))),
          new Column<>("ratio", one -> cell(one.ratio(), Spread::text)),
          new Column<>("min..max of ratio", one -> cell(one.ratio(), Spread::range)));

  private final EndToEndResults results;

  /** Those without errors, as the figures of the others are not valid. */
  private final List<Round> valid;

  private final List<Summary> summaries;

  EndToEndReport(EndToEndResults results) {
    super("end-to-end", "Applications under load", results.setup());
    this.results = results;
    this.valid = results.rounds().stream().filter(round -> !round.hasErrors()).toList();
    this.summaries = Summary.of(valid);
    if (results.rounds().isEmpty()) {
      throw new IllegalArgumentException("it has no rounds");
    }
    if (!results.rounds().stream().allMatch(round -> load(round.workload()).isPresent())) {
      throw new IllegalArgumentException("it has rounds of an unknown load");
    }
  }

  private static Column<Standing> ratio(String name, Figure figure) {
    return new Column<>(name, one -> cell(one.ratios().get(figure), Spread::text));
  }

  private static String cell(@Nullable Spread spread, Function<Spread, String> text) {
    return spread == null ? Table.NONE : text.apply(spread);
  }

  private Optional<Load> load(String workload) {
    return results.loads().stream().filter(load -> load.workload().equals(workload)).findFirst();
  }

  private List<Summary> withRatios() {
    return summaries.stream().filter(summary -> summary.ratio() != null).toList();
  }

  @Override
  public List<Against> against() {
    return withRatios().stream()
        .map(
            summary ->
                new Against(
                    command(),
                    load(summary.workload()).orElseThrow().brief(),
                    summary.allocator(),
                    summary.figure().title,
                    summary.ratio()))
        .toList();
  }

  private List<String> workloads() {
    return results.loads().stream().map(Load::workload).toList();
  }

  @Override
  public Optional<RangePlot> plot() {
    RangePlot plot =
        RangePlot.ofRatios(
            "Applications, JDK " + setup().jdk(),
            "CPU time ÷ mimalloc4j's; right of 1 mimalloc4j needs less");
    for (Standing one : standings()) {
      @Nullable Spread cpu = one.ratios().get(Figure.CPU);
      if (cpu != null && cpu.low() > 0) {
        plot.add(
            one.workload(),
            AllocatorKind.plainName(one.allocator()),
            cpu.middle(),
            cpu.low(),
            cpu.high());
      }
    }
    return Optional.of(plot).filter(one -> !one.isEmpty());
  }

  @Override
  public void addTo(Document document) {
    List<Standing> standings = standings();
    document.chart(
        chart("CPU time of a request: ratio, with the range of the JVMs", Figure.CPU, standings));
    if (!standings.isEmpty()) {
      document.table(Table.of(2, STANDINGS, standings));
    }
    document.paragraph(LEGEND).paragraph(SHARED);
    document.list(results.loads().stream().map(load -> load.text(roundsOf(load))).toList());
    compilers().forEach(document::paragraph);
    late().forEach(document::paragraph);
    errors().forEach(document::paragraph);
    document.chart(chart("p99 at the fixed rate: ratio", Figure.P99, standings));
    document.chart(chart("Used memory: ratio", Figure.USED, standings));
    document.chart(chart("Resident memory: ratio", Figure.RESIDENT, standings));
    document.table(Table.of(3, COLUMNS, summaries).grouped());
  }

  /**
   * Returns how many rounds of a load there are, which are fewer than planned if it was cut short.
   */
  private int roundsOf(Load load) {
    return (int)
        results.rounds().stream()
            .filter(round -> round.workload().equals(load.workload()))
            .map(Round::round)
            .distinct()
            .count();
  }

  private List<Round> valid(String workload) {
    return valid.stream().filter(round -> round.workload().equals(workload)).toList();
  }

  /** Sorted so that the results in which others did better come first. */
  private List<Standing> standings() {
    Map<List<String>, Standing> all = new LinkedHashMap<>();
    for (Summary one : withRatios()) {
      all.computeIfAbsent(
              List.of(one.workload(), one.allocator()),
              key -> new Standing(one.workload(), one.allocator(), new EnumMap<>(Figure.class)))
          .ratios()
          .put(one.figure(), one.ratio());
    }
    List<Standing> sorted = new ArrayList<>(all.values());
    sorted.sort(Comparator.comparingDouble(Standing::cpu));
    return sorted;
  }

  /** A large share of the compilers means that the warm-up was too short. */
  private List<String> compilers() {
    return workloads().stream()
        .flatMap(
            workload -> {
              @Nullable Spread closed = compilers(workload, Round::closed);
              @Nullable Spread fixed = compilers(workload, Round::fixed);
              return closed == null || fixed == null
                  ? Stream.of()
                  : Stream.of(
                      ("%s: the JIT compilers took %s %% of the CPU time (%s), at the fixed rate %s"
                              + " %% (%s), not counted here.")
                          .formatted(
                              workload,
                              closed.text("%.0f"),
                              closed.range("%.0f"),
                              fixed.text("%.0f"),
                              fixed.range("%.0f")));
            })
        .toList();
  }

  private @Nullable Spread compilers(String workload, Function<Round, Measured> load) {
    List<Double> parts =
        valid(workload).stream()
            .map(round -> load.apply(round).compilersPercent())
            .filter(Objects::nonNull)
            .toList();
    return parts.isEmpty() ? null : Spread.of(parts);
  }

  /** A client that is late makes all servers look slow. */
  private List<String> late() {
    return workloads().stream()
        .filter(workload -> !valid(workload).isEmpty())
        .map(
            workload -> {
              Spread late =
                  Spread.of(valid(workload).stream().map(round -> round.timing().late()).toList());
              return "%s: at the fixed rate, the client itself was late by %s us (p99; %s)."
                  .formatted(workload, late.text("%.0f"), late.range("%.0f"));
            })
        .toList();
  }

  /** The file may be the only trace of the errors in a run. */
  private List<String> errors() {
    return results.rounds().stream()
        .filter(Round::hasErrors)
        .map(
            round ->
                "Errors: %s, round %d, %s: %d; this JVM is left out of tables and charts."
                    .formatted(
                        round.workload(), round.round() + 1, round.allocator(), round.errors()))
        .toList();
  }

  private static Chart chart(String caption, Figure figure, Collection<Standing> standings) {
    List<Standing> shown =
        standings.stream().filter(one -> one.ratios().containsKey(figure)).toList();
    List<String> groups = shown.stream().map(Standing::workload).distinct().toList();
    Chart chart = Chart.bars(caption, "times " + Against.REFERENCE + "'s", groups);
    for (String peer : shown.stream().map(Standing::allocator).distinct().sorted().toList()) {
      chart.series(
          peer,
          shown.stream()
              .filter(one -> one.allocator().equals(peer))
              .map(one -> one.ratios().get(figure).at(groups.indexOf(one.workload())))
              .toList());
    }
    return chart.mark(Against.REFERENCE, 1);
  }
}
