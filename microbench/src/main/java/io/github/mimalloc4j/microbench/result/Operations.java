package io.github.mimalloc4j.microbench.result;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.Chart.Axis;
import io.github.mimalloc4j.microbench.page.Chart.Scale;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Operation.Cost;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The report of single operations: a row for each, and charts of the ratios of each topic. */
public final class Operations {
  /** With fewer values of a parameter than this, bars show more than points. */
  private static final int LEAST_POINTS = 3;

  /** What has a place on a logarithmic axis. */
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,15}");

  private static final Pattern SIZE = Pattern.compile("(?i)size|bytes");

  private static final String RATIO = "times as long as " + Against.REFERENCE;

  private final String topicName;
  private final String workName;
  private final List<Operation> all;
  private final List<String> allocators;

  /**
   * Makes a report.
   *
   * @param topicName what topics are called in the table
   * @param workName what work is called there
   */
  public Operations(String topicName, String workName, List<Operation> all) {
    this.topicName = topicName;
    this.workName = workName;
    this.all = all;
    allocators = all.stream().flatMap(one -> one.costs().keySet().stream()).distinct().toList();
  }

  public List<String> allocators() {
    return allocators;
  }

  private List<String> others() {
    return allocators.stream().filter(one -> !one.equals(Against.REFERENCE)).toList();
  }

  private static List<String> withoutFloor(List<String> names) {
    return names.stream().filter(one -> !one.equals(AllocatorSource.BARE_NAME)).toList();
  }

  private static Optional<Spread> ratio(Operation one, String allocator) {
    return Optional.ofNullable(one.costs().get(allocator))
        .flatMap(cost -> Optional.ofNullable(cost.ratio()));
  }

  /** The times, the used memory and the garbage of the others. */
  public List<Against> against() {
    List<Against> against = new ArrayList<>();
    for (Operation one : all) {
      for (String allocator : others()) {
        ratio(one, allocator).ifPresent(ratio -> add(against, one, allocator, "time", ratio));
        both(one, allocator, Cost::used)
            // Of a buffer that is released at once, no sample may have seen anything.
            .filter(both -> both.ours() > 0 && both.theirs() > 0)
            .ifPresent(both -> add(against, one, allocator, "used memory", both.ratio()));
        both(one, allocator, cost -> shownGarbage(cost.garbage()))
            .filter(both -> both.ours() > 0)
            .ifPresent(both -> add(against, one, allocator, "garbage", both.ratio()));
      }
    }
    return against;
  }

  private static void add(
      List<Against> against, Operation one, String allocator, String measure, Spread ratio) {
    against.add(new Against(one.benchmark(), one.work(), allocator, measure, ratio));
  }

  /** Returns tenths of a byte, as the table has: other threads and the harness make the rest. */
  private static @Nullable Double shownGarbage(@Nullable Double bytes) {
    return bytes == null ? null : Math.rint(bytes * 10) / 10;
  }

  /** A figure with mimalloc4j, and with another allocator. */
  private record Both(double ours, double theirs) {
    Spread ratio() {
      return Spread.of(theirs / ours);
    }
  }

  private static Optional<Both> both(
      Operation one, String allocator, Function<Cost, @Nullable Double> figure) {
    Double ours = figure(one, Against.REFERENCE, figure);
    Double theirs = figure(one, allocator, figure);
    return ours == null || theirs == null ? Optional.empty() : Optional.of(new Both(ours, theirs));
  }

  private static @Nullable Double figure(
      Operation one, String allocator, Function<Cost, @Nullable Double> figure) {
    Cost cost = one.costs().get(allocator);
    return cost == null ? null : figure.apply(cost);
  }

  /**
   * Adds the table and the charts.
   *
   * @param ratios what the numbers in the columns of the allocators are
   */
  public void addTo(Document document, String ratios) {
    // The floor has no memory of its own.
    List<String> holders = withoutFloor(allocators);
    document.paragraph(
        ratios
            + " Used: the most memory, of some samples, held by "
            + String.join(", ", holders)
            + ". Garbage: Java objects of an operation, likewise. The lowest ratio first.");
    List<Column<Operation>> columns = new ArrayList<>();
    columns.add(new Column<>(topicName, Operation::topic));
    columns.add(new Column<>(workName, Operation::work));
    columns.add(new Column<>("ns", one -> nanos("%,.1f", one.costs().get(Against.REFERENCE))));
    others().forEach(other -> columns.add(new Column<>(other, one -> ratioOrTime(one, other))));
    columns.add(new Column<>("used MiB", one -> each(holders, holder -> used(one, holder))));
    columns.add(new Column<>("garbage B", one -> each(holders, holder -> garbage(one, holder))));
    List<Operation> slowestFirst =
        all.stream().sorted(Comparator.comparingDouble(this::lowest)).toList();
    document.table(Table.of(2, columns, slowestFirst));
    all.stream()
        .collect(Collectors.groupingBy(Operation::topic, LinkedHashMap::new, Collectors.toList()))
        .forEach((topic, some) -> addCharts(document, topic, some));
  }

  private static String nanos(String format, @Nullable Cost cost) {
    return Table.cell(format, cost == null ? null : cost.nanos());
  }

  private static String ratioOrTime(Operation one, String allocator) {
    return ratio(one, allocator)
        .map(ratio -> ratio.textWithRange("%.2f"))
        .orElseGet(() -> nanos("%,.1f ns", one.costs().get(allocator)));
  }

  private static String used(Operation one, String allocator) {
    return Table.mib("%.1f", figure(one, allocator, Cost::used));
  }

  private static String garbage(Operation one, String allocator) {
    return Table.cell("%.1f", figure(one, allocator, Cost::garbage));
  }

  private static String each(List<String> holders, Function<String, String> cell) {
    List<String> each = holders.stream().map(cell).toList();
    return each.stream().allMatch(Table.NONE::equals) ? Table.NONE : String.join(" / ", each);
  }

  private double lowest(Operation one) {
    return withoutFloor(others()).stream()
        .flatMap(allocator -> ratio(one, allocator).stream())
        .mapToDouble(Spread::middle)
        .min()
        .orElse(Double.MAX_VALUE);
  }

  /** Points over a parameter that has enough values; bars for what has no place there. */
  private void addCharts(Document document, String topic, List<Operation> some) {
    String axis = axis(some).orElse(""); // no parameter has this name
    List<Operation> bars = new ArrayList<>();
    Map<String, SortedMap<Double, Operation>> points = new LinkedHashMap<>();
    for (Operation one : some) {
      Map<String, String> others = new TreeMap<>(one.parameters());
      others.remove(axis);
      String caption = others.isEmpty() ? topic : topic + ", " + Operation.words(others);
      place(one, axis)
          .ifPresentOrElse(
              place -> points.computeIfAbsent(caption, key -> new TreeMap<>()).put(place, one),
              () -> bars.add(one));
    }
    SortedMap<Double, Operation> groups = new TreeMap<>();
    bars.forEach(one -> groups.put((double) groups.size(), one));
    List<String> names = bars.stream().map(Operation::work).toList();
    document.chart(withSeries(Chart.bars(topic, RATIO, names), groups));
    Axis x = new Axis(axis, SIZE.matcher(axis).find() ? Scale.BYTES : Scale.LOGARITHMIC);
    Axis y = new Axis(RATIO, Scale.LINEAR);
    points.forEach(
        (caption, members) -> document.chart(withSeries(Chart.points(caption, x, y), members)));
  }

  private static Optional<String> axis(List<Operation> some) {
    return some.stream()
        .flatMap(one -> one.parameters().keySet().stream())
        .distinct()
        .filter(
            name ->
                some.stream().flatMap(one -> place(one, name).stream()).distinct().count()
                    >= LEAST_POINTS)
        .findFirst();
  }

  private static Optional<Double> place(Operation one, String axis) {
    return Optional.ofNullable(one.parameters().get(axis))
        .filter(value -> NUMBER.matcher(value).matches())
        .map(Double::valueOf);
  }

  private Chart withSeries(Chart chart, SortedMap<Double, Operation> byPlace) {
    for (String other : others()) {
      List<double[]> points = new ArrayList<>();
      byPlace.forEach(
          (place, one) -> ratio(one, other).ifPresent(ratio -> points.add(ratio.at(place))));
      chart.series(other, points);
    }
    return chart.mark(Against.REFERENCE, 1);
  }
}
