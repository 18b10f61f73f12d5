package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.latency.LatencyResults.Distribution;
import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Percentiles of all subjects side by side. */
final class LatencyReport extends CommandReport {
  private static final List<String> OPERATIONS =
      List.of(LatencyResults.ALLOCATE, LatencyResults.RELEASE);

  private static final String CLOCK =
      "Each time is that of one operation, between two readings of the clock. %s is the same run"
          + " without the operation: the time of the clock and of pauses of the machine. It is not"
          + " subtracted.";

  private static final String WORK =
      "An event-loop thread releases a random one of %,d live direct buffers and allocates a new"
          + " one, with the sizes of a WebSocket proxy. Operations of each kind: %s, in %d JVMs for"
          + " each allocator, in turns. They are one task of the event loop, so no upkeep runs"
          + " between them. Garbage collections during the run: %s.";

  private final LatencyResults results;

  LatencyReport(LatencyResults results) {
    super("latency", "Latency of single operations", results.setup());
    this.results = results;
  }

  @Override
  public List<Against> against() {
    List<Against> all = new ArrayList<>();
    for (String operation : OPERATIONS) {
      Map<String, Distribution> bySubject = new LinkedHashMap<>();
      results.of(operation).forEach(one -> bySubject.put(one.subject(), one));
      bySubject.remove(LatencyRun.NO_ALLOCATOR);
      Distribution ours = bySubject.remove(Against.REFERENCE);
      if (ours != null) {
        bySubject.values().forEach(other -> addAgainst(other, ours, all));
      }
    }
    return all;
  }

  private void addAgainst(Distribution other, Distribution ours, List<Against> all) {
    for (String name : LatencyResults.PERCENTILES) {
      List<Double> times = rounds(other, name);
      List<Double> reference = rounds(ours, name);
      if (!times.isEmpty() && times.size() == reference.size()) {
        Spread ratio = Spread.ofRounds(times, reference);
        String measure = "time, " + LatencyResults.title(name);
        all.add(new Against(command(), ours.operation(), other.subject(), measure, ratio));
      }
    }
  }

  private static List<Double> rounds(Distribution distribution, String name) {
    return distribution.rounds().stream()
        .map(round -> round.get(name))
        .filter(Objects::nonNull)
        .map(LatencyReport::shown)
        .toList();
  }

  /** The clock may not see the fastest operations: 0 is no divisor and has no logarithm. */
  private static double shown(long nanos) {
    return Math.max(1, nanos);
  }

  @Override
  public void addTo(Document document) {
    document.paragraph(CLOCK.formatted(LatencyRun.NO_ALLOCATOR));
    document.paragraph(
        String.format(Locale.ROOT, WORK, LatencyRun.LIVE, counts(), rounds(), collections()));
    document.table(table());
    OPERATIONS.forEach(operation -> document.chart(chart(operation)));
  }

  private String counts() {
    return results.of(LatencyResults.ALLOCATE).stream()
        .map(one -> String.format(Locale.ROOT, "%,d", one.count()))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private int rounds() {
    return results.distributions().stream().mapToInt(one -> one.rounds().size()).max().orElse(0);
  }

  private String collections() {
    return results.collections().entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  /** The subjects next to each other, operation by operation. */
  private Table table() {
    List<Column<Distribution>> columns = new ArrayList<>();
    columns.add(new Column<>("ns", Distribution::operation));
    columns.add(new Column<>("allocator", Distribution::subject));
    for (String name : LatencyResults.PERCENTILES) {
      columns.add(
          new Column<>(LatencyResults.title(name), one -> Table.cell("%,d", one.all().get(name))));
    }
    List<Distribution> rows =
        OPERATIONS.stream().flatMap(operation -> results.of(operation).stream()).toList();
    return Table.of(2, columns, rows).grouped();
  }

  private Chart chart(String operation) {
    Chart chart =
        Chart.points(
            operation
                + ": time of one operation, with the range of the rounds; the last point is the"
                + " slowest of all",
            new Chart.Axis("one operation in this many is slower", Chart.Scale.LOGARITHMIC),
            new Chart.Axis("ns", Chart.Scale.LOGARITHMIC));
    results.of(operation).forEach(one -> chart.series(one.subject(), points(one)));
    return chart;
  }

  private static List<double[]> points(Distribution distribution) {
    List<double[]> points = new ArrayList<>();
    distribution
        .all()
        .forEach(
            (name, nanos) -> {
              List<Double> rounds = rounds(distribution, name);
              Spread spread = Spread.of(rounds.isEmpty() ? List.of(shown(nanos)) : rounds);
              double x = LatencyResults.oneOf(name, distribution.count());
              points.add(new double[] {x, shown(nanos), spread.low(), spread.high()});
            });
    return points;
  }
}
