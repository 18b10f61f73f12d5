package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.harness.SideResultsProfiler;
import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.Chart.Axis;
import io.github.mimalloc4j.microbench.page.Chart.Scale;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.report.Comparisons.Family;
import io.github.mimalloc4j.microbench.report.Result.Metric;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Comparisons as tables and charts. */
final class JmhReport {
  private static final String METHOD =
      "Ratio: the time of an operation with the other allocator divided by that with MIMALLOC"
          + " (inverted for throughput). Above 1, MIMALLOC is faster. The time of a fork (a JVM) is"
          + " the median of its iterations. The ratio is the median of the ratios of all pairs of"
          + " forks; min..max, the line on a bar, is their range. Time: the median of the forks.";

  private static final String ONE_FORK =
      "Some results have only one fork. Their range is that of the iterations, and says nothing"
          + " about differences between JVMs: ";

  private static final String BARE =
      "BARE is not an allocator but a stack of ready-made buffers: the lower limit.";

  private static final String MEMORY =
      "Used: the peak that the allocator held. Live: the peak of the bytes requested and not yet"
          + " released. Resident: the peak of the JVM's resident memory. GCs: garbage collections"
          + " during the measurement. These figures need the option -prof"
          + " "
          + SideResultsProfiler.class.getName()
          + ", garbage needs -prof gc.";

  private static final String WORKERS =
      "Some benchmarks start their own threads, whose number is a parameter. One operation is then"
          + " one by each of these threads at the same time. If its time does not grow with their"
          + " number, the threads do not slow each other down.";

  private static final String CPU =
      "By CPU time: the ratio of the processor times, which exclude time when other programs had"
          + " the processor.";

  private static final List<String> MEMORY_MEASURES =
      List.of(
          Comparison.USED,
          Comparison.LIVE,
          Comparison.RESIDENT,
          Comparison.COLLECTIONS,
          Comparison.GC_COUNT,
          Comparison.GARBAGE);

  /** The measures in which allocators are compared with ours, and their names. */
  private static final Map<String, String> COMPETITION =
      new TreeMap<>(
          Map.of(
              Comparison.TIME, "time",
              Comparison.CPU_TIME, "CPU time",
              Comparison.USED, "used memory",
              Comparison.RESIDENT, "resident memory"));

  private static final String RATIO = "times as long as " + Comparison.REFERENCE;

  private interface Value extends BiFunction<Comparison, String, Optional<Spread>> {}

  private static final Value TIME_RATIO = (one, allocator) -> one.ratio(allocator, Comparison.TIME);
  private static final Value TIME = (one, allocator) -> one.spread(allocator, Comparison.TIME);

  private static final Value USED_TO_LIVE =
      (one, allocator) -> one.usedToLive(allocator).map(Spread::of);

  private record Row(Comparison comparison, String allocator) {
    Optional<Metric> metric(String measure) {
      return comparison.metric(allocator, measure);
    }

    Optional<Double> median(String measure) {
      return comparison.spread(allocator, measure).map(Spread::middle);
    }

    String time() {
      return median(Comparison.TIME)
          .map(value -> Table.cell(value < 1000 ? "%.1f" : "%,.0f", value))
          .map(value -> value + " " + comparison.work().unit())
          .orElse(Table.NONE);
    }
  }

  private static Column<Row> ratio(String name, String measure, Function<Spread, String> text) {
    return new Column<>(
        name, row -> row.comparison().ratio(row.allocator(), measure).map(text).orElse(Table.NONE));
  }

  private static Column<Row> mib(String name, String measure) {
    return new Column<>(
        name,
        row -> Table.mib("%.1f", row.comparison().highest(row.allocator(), measure).orElse(null)));
  }

  private static Column<Row> number(
      String name, String format, Function<Row, Optional<Double>> number) {
    return new Column<>(name, row -> Table.cell(format, number.apply(row).orElse(null)));
  }

  private static final Column<Row> USED_MIB = mib("used MiB", Comparison.USED);
  private static final Column<Row> USED_BY_LIVE =
      number("used/live", "%.2f", row -> row.comparison().usedToLive(row.allocator()));

  /** All ratios, with the most important figures of the memory. */
  private static final List<Column<Row>> SPEED_COLUMNS =
      List.of(
          new Column<>("time", Row::time),
          ratio("ratio", Comparison.TIME, Spread::text),
          ratio("min..max", Comparison.TIME, Spread::range),
          ratio("by CPU time", Comparison.CPU_TIME, Spread::text),
          USED_MIB,
          USED_BY_LIVE);

  /** Memory and speed, for benchmarks that report memory. */
  private static final List<Column<Row>> MEMORY_COLUMNS =
      List.of(
          ratio("time ratio", Comparison.TIME, Spread::text),
          USED_MIB,
          mib("live MiB", Comparison.LIVE),
          USED_BY_LIVE,
          mib("resident MiB", Comparison.RESIDENT),
          number(
              "GCs per JVM",
              "%.1f",
              row ->
                  row.metric(Comparison.COLLECTIONS)
                      .or(() -> row.metric(Comparison.GC_COUNT))
                      .map(Metric::sumPerFork)),
          number("garbage B/op", "%.1f", row -> row.median(Comparison.GARBAGE)));

  private final Comparisons comparisons;
  private final List<Comparison> all;

  JmhReport(Comparisons comparisons) {
    this.comparisons = comparisons;
    this.all = comparisons.all();
  }

  /** Where another allocator did better than ours; the floor is no allocator. */
  List<Against> against() {
    return rows(one -> true)
        .filter(row -> !row.allocator().equals(Comparison.FLOOR))
        .flatMap(row -> COMPETITION.keySet().stream().flatMap(name -> against(row, name).stream()))
        .filter(Against::isLoss)
        .toList();
  }

  private Optional<Against> against(Row row, String measure) {
    Comparison one = row.comparison();
    return one.ratio(row.allocator(), measure)
        .map(
            ratio ->
                new Against(
                    one.work().benchmark(),
                    comparisons.label(one),
                    row.allocator(),
                    COMPETITION.get(measure),
                    ratio));
  }

  void addTo(Document document) {
    addRatios(document);
    addFamilies(document);
    addMemory(document);
    document.heading("All results").table(table(SPEED_COLUMNS, one -> true));
  }

  private void addRatios(Document document) {
    document.heading("Time relative to " + Comparison.REFERENCE);
    notes().forEach(document::paragraph);
    Set<Comparison> swept = new LinkedHashSet<>();
    comparisons.ofSizes().forEach(family -> swept.addAll(family.members().values()));
    boolean empty = swept.isEmpty();
    for (Map.Entry<String, List<Comparison>> of : comparisons.byBenchmark().entrySet()) {
      List<Comparison> some = of.getValue().stream().filter(one -> !swept.contains(one)).toList();
      Chart chart = bars(of.getKey(), RATIO, Comparison.REFERENCE, some, TIME_RATIO);
      document.chart(chart);
      empty &= chart.isEmpty();
    }
    if (empty) {
      document.paragraph("No work was measured with both MIMALLOC and another allocator.");
    }
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(List.of(METHOD));
    Set<String> single = new LinkedHashSet<>();
    all.stream().filter(one -> !one.hasForks()).forEach(one -> single.add(one.work().benchmark()));
    if (!single.isEmpty()) {
      notes.add(ONE_FORK + String.join(", ", single) + ".");
    }
    if (Comparisons.allocators(all).contains(Comparison.FLOOR)) {
      notes.add(BARE);
    }
    if (all.stream().anyMatch(comparison -> comparison.has(List.of(Comparison.CPU_TIME)))) {
      notes.add(CPU);
    }
    for (String benchmark : comparisons.byBenchmark().keySet()) {
      String constants = comparisons.constants(benchmark);
      if (!constants.isEmpty()) {
        notes.add(benchmark + ", in all rows: " + constants + ".");
      }
    }
    return notes;
  }

  private void addFamilies(Document document) {
    List<Family> threads = comparisons.ofThreads();
    List<Family> workers = comparisons.ofWorkers();
    if (!threads.isEmpty() || !workers.isEmpty()) {
      document.heading("By number of threads");
    }
    Axis operations = new Axis("operations per µs, all threads", Scale.LINEAR);
    for (Family family : threads) {
      document.chart(
          points(family, "", new Axis("threads", Scale.WHOLE), operations, Comparison::operations));
    }
    if (!workers.isEmpty()) {
      document.paragraph(WORKERS);
    }
    for (Family family : workers) {
      Axis time = new Axis(family.any().work().unit(), Scale.LINEAR);
      document.chart(points(family, "", new Axis(family.axis(), Scale.WHOLE), time, TIME));
    }
    List<Family> sizes = comparisons.ofSizes();
    if (!sizes.isEmpty()) {
      document.heading("By size");
    }
    for (Family family : sizes) {
      Axis x = new Axis(family.axis(), Scale.BYTES);
      Axis ratio = new Axis(RATIO, Scale.LINEAR);
      Axis time = new Axis(family.any().work().unit(), Scale.LOGARITHMIC);
      document.chart(points(family, ": ratio", x, ratio, TIME_RATIO).mark(Comparison.REFERENCE, 1));
      document.chart(points(family, ": " + time.name(), x, time, TIME));
    }
  }

  private void addMemory(Document document) {
    if (all.stream().anyMatch(comparison -> comparison.has(MEMORY_MEASURES))) {
      document.heading("Memory and speed").paragraph(MEMORY);
      comparisons
          .byBenchmark()
          .forEach(
              (benchmark, own) ->
                  document.chart(
                      bars(benchmark + ": used ÷ live", "used ÷ live", "live", own, USED_TO_LIVE)));
      document.table(table(MEMORY_COLUMNS, one -> one.has(MEMORY_MEASURES)));
    }
  }

  /** A group for each comparison of one benchmark that has any values, a bar for each of these. */
  private Chart bars(
      String caption, String measure, String mark, List<Comparison> some, Value value) {
    SortedMap<Double, Comparison> shown = new TreeMap<>();
    some.stream()
        .filter(one -> one.allocators().stream().anyMatch(a -> value.apply(one, a).isPresent()))
        .forEach(one -> shown.put((double) shown.size(), one));
    List<String> groups = shown.values().stream().map(comparisons::label).toList();
    return withSeries(Chart.bars(caption, measure, groups).mark(mark, 1), shown, value);
  }

  /** A line for each allocator that has any values. */
  private Chart points(Family family, String what, Axis x, Axis y, Value value) {
    String label = comparisons.labelWithout(family.any(), family.axis());
    String caption = family.any().work().benchmark() + (label.isEmpty() ? "" : ", " + label) + what;
    return withSeries(Chart.points(caption, x, y), family.members(), value);
  }

  private static Chart withSeries(Chart chart, SortedMap<Double, Comparison> byPlace, Value value) {
    for (String allocator : Comparisons.allocators(byPlace.values())) {
      List<double[]> points = new ArrayList<>();
      byPlace.forEach(
          (place, one) -> value.apply(one, allocator).ifPresent(v -> points.add(v.at(place))));
      chart.series(allocator, points);
    }
    return chart;
  }

  private Stream<Row> rows(Predicate<Comparison> shown) {
    return all.stream()
        .filter(shown)
        .flatMap(one -> one.allocators().stream().map(allocator -> new Row(one, allocator)));
  }

  private Table table(List<Column<Row>> columns, Predicate<Comparison> shown) {
    List<Column<Row>> names =
        List.of(
            new Column<>("benchmark", row -> row.comparison().work().benchmark()),
            new Column<>("parameters", row -> comparisons.label(row.comparison())),
            new Column<>("allocator", Row::allocator));
    List<Column<Row>> withNames = Stream.concat(names.stream(), columns.stream()).toList();
    return Table.of(names.size(), withNames, rows(shown).toList()).grouped();
  }
}
