package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.Against;
import io.github.mimalloc4j.microbench.AllocatorColours;
import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.CommandReport;
import io.github.mimalloc4j.microbench.Numbers;
import io.github.mimalloc4j.microbench.Ratio;
import io.github.mimalloc4j.microbench.Setup;
import io.github.mimalloc4j.microbench.page.Axis;
import io.github.mimalloc4j.microbench.page.HtmlPage;
import io.github.mimalloc4j.microbench.page.PointChart;
import io.github.mimalloc4j.microbench.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Results for people: tables, and charts for a page. */
public final class LatencyReport implements CommandReport {
  private static final String COMMAND = "latency";

  private static final String NONE = "-";
  private static final String FLOOR_COLOUR = "#888888";

  private static final Axis RARITY =
      new Axis("one operation of so many is slower", Axis.Scale.LOGARITHMIC);
  private static final Axis NANOS = new Axis("ns", Axis.Scale.LOGARITHMIC);

  /** The clock may not see the fastest operations, and a logarithm has no place for 0. */
  private static final double LEAST_SHOWN = 1;

  private static final List<String> OPERATIONS =
      List.of(Distribution.ALLOCATE, Distribution.RELEASE);

  private final LatencyResults results;

  /** Makes one. */
  public LatencyReport(LatencyResults results) {
    this.results = results;
  }

  @Override
  public String command() {
    return COMMAND;
  }

  @Override
  public String title() {
    return "Latency of single operations";
  }

  @Override
  public Setup setup() {
    return results.setup();
  }

  @Override
  public List<Table> tables() {
    return List.of(table());
  }

  /** All figures: the subjects next to each other, operation by operation. */
  Table table() {
    List<String> header = new ArrayList<>(List.of("ns", "allocator"));
    for (String name : Percentiles.NAMES) {
      header.add(title(name));
    }
    List<List<String>> rows = new ArrayList<>();
    for (String operation : OPERATIONS) {
      String title = operation;
      for (Distribution distribution : results.of(operation)) {
        List<String> row = new ArrayList<>(List.of(title, distribution.subject()));
        for (String name : Percentiles.NAMES) {
          OptionalLong nanos = distribution.all().get(name);
          row.add(nanos.isPresent() ? String.format(Locale.ROOT, "%,d", nanos.getAsLong()) : NONE);
        }
        rows.add(row);
        title = "";
      }
    }
    return new Table(header, 2, rows);
  }

  @Override
  public List<String> notes() {
    return List.of(
        "Each time is that of one operation, between two readings of the clock. A reading takes"
            + String.format(Locale.ROOT, " %.1f ns", results.clock().cost())
            + ", and the clock's smallest step is "
            + results.clock().granularity()
            + " ns. "
            + Subject.FLOOR
            + " is the same run without the operation: what of each time is the clock's, and the"
            + " hiccups of the machine itself. It is not subtracted.",
        "Of "
            + String.format(Locale.ROOT, "%,d", LatencyRun.LIVE)
            + " live direct buffers a random one is released and another allocated, with the sizes"
            + " of a WebSocket proxy, on an event-loop thread. Operations of each kind: "
            + counts()
            + ", in "
            + rounds()
            + " JVMs each, the allocators in turn. Garbage collections meanwhile: "
            + collections()
            + ".");
  }

  private String counts() {
    return results.of(Distribution.ALLOCATE).stream()
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

  @Override
  public List<Against> against() {
    String reference = Subject.of(AllocatorKind.MIMALLOC);
    List<Against> all = new ArrayList<>();
    for (String operation : OPERATIONS) {
      List<Distribution> own = results.of(operation);
      for (Distribution base : own.stream().filter(d -> d.subject().equals(reference)).toList()) {
        for (Distribution other : own) {
          if (!Subject.isFloor(other.subject()) && other != base) {
            Percentiles.NAMES.forEach(name -> addAgainst(all, name, other, base));
          }
        }
      }
    }
    return all;
  }

  private static void addAgainst(
      List<Against> all, String name, Distribution other, Distribution base) {
    List<Double> times = rounds(other, name);
    List<Double> reference = rounds(base, name);
    if (times.isEmpty() || times.size() != reference.size()) {
      return;
    }
    Ratio ratio = Ratio.ofRounds(times, reference);
    if (ratio.isAgainstReference()) {
      all.add(
          new Against(COMMAND, base.operation(), other.subject(), "time, " + title(name), ratio));
    }
  }

  /** Above 0 where the clock saw nothing, so that they can be divided. */
  private static List<Double> rounds(Distribution distribution, String name) {
    return distribution.rounds().stream()
        .map(round -> round.get(name))
        .filter(OptionalLong::isPresent)
        .map(nanos -> shown(nanos.getAsLong()))
        .toList();
  }

  private static String title(String name) {
    return name.equals(Percentiles.MAX) ? "max" : name + " %";
  }

  @Override
  public void addTo(HtmlPage page) {
    notes().forEach(page::paragraph);
    page.table(table());
    for (String operation : OPERATIONS) {
      page.chart(
          chart(operation),
          operation
              + ": time of one operation, with the range of the rounds; the last point is the"
              + " slowest of all");
    }
  }

  private PointChart chart(String operation) {
    PointChart chart = new PointChart(RARITY, NANOS);
    for (Distribution distribution : results.of(operation)) {
      boolean floor = Subject.isFloor(distribution.subject());
      chart.line(
          distribution.subject(),
          floor ? FLOOR_COLOUR : AllocatorColours.of(distribution.subject()),
          floor,
          points(distribution));
    }
    return chart;
  }

  private static List<PointChart.Point> points(Distribution distribution) {
    List<PointChart.Point> points = new ArrayList<>();
    for (String name : Percentiles.NAMES) {
      OptionalLong nanos = distribution.all().get(name);
      if (nanos.isPresent()) {
        double all = shown(nanos.getAsLong());
        List<Double> rounds = rounds(distribution, name);
        points.add(
            new PointChart.Point(
                Percentiles.oneOf(name, distribution.count()),
                all,
                rounds.isEmpty() ? all : Numbers.min(rounds),
                rounds.isEmpty() ? all : Numbers.max(rounds)));
      }
    }
    return points;
  }

  private static double shown(long nanos) {
    return Math.max(LEAST_SHOWN, nanos);
  }
}
