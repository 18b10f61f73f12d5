package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.compare.CompareResults.Figures;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All work as a table, and what all work of a target has in common as a plot. */
final class CompareReport extends CommandReport {
  private static final String REFERENCE = AllocatorKind.MIMALLOC.name();

  private final List<Figures> figures;

  /** The figures of each work by the allocator's name. */
  private final Map<String, Map<String, Figures>> works;

  private final RangePlot plot;

  CompareReport(CompareResults results) {
    super("compare", "Single operations", results.setup());
    figures = results.figures();
    works =
        figures.stream()
            .collect(
                Collectors.groupingBy(
                    Figures::work,
                    LinkedHashMap::new,
                    Collectors.toMap(Figures::allocator, Function.identity())));
    if (works.isEmpty() || !works.values().stream().allMatch(each -> each.containsKey(REFERENCE))) {
      throw new IllegalArgumentException("it has no figures, or some without " + REFERENCE);
    }
    plot =
        RangePlot.ofRatios(
            "Single operations, JDK " + setup().jdk(),
            "time ÷ mimalloc4j's; right of 1 mimalloc4j is faster");
    compared().stream()
        .collect(
            Collectors.groupingBy(
                Figures::target,
                LinkedHashMap::new,
                Collectors.groupingBy(Figures::allocator, LinkedHashMap::new, Collectors.toList())))
        .forEach((target, all) -> all.forEach((allocator, some) -> add(target, allocator, some)));
  }

  /** Adds the median of the medians, and the range of all rounds. */
  private void add(Target target, String allocator, List<Figures> some) {
    List<Spread> ratios = some.stream().map(Figures::ratio).toList();
    plot.add(
        target.label,
        AllocatorKind.plainName(allocator),
        Spread.median(ratios.stream().map(Spread::middle).toList()),
        ratios.stream().mapToDouble(Spread::low).min().orElseThrow(),
        ratios.stream().mapToDouble(Spread::high).max().orElseThrow());
  }

  private List<Figures> compared() {
    return figures.stream().filter(CompareReport::isPeers).toList();
  }

  private static boolean isPeers(Figures one) {
    return !one.allocator().equals(REFERENCE) && !one.allocator().equals(CompareCommand.FLOOR);
  }

  @Override
  public List<Against> against() {
    return compared().stream()
        .map(one -> new Against(one.benchmark(), one.work(), one.allocator(), "time", one.ratio()))
        .filter(Against::isLoss)
        .toList();
  }

  @Override
  public Optional<RangePlot> plot() {
    return Optional.of(plot);
  }

  @Override
  public void addTo(Document document) {
    List<String> all = figures.stream().map(Figures::allocator).distinct().toList();
    // The floor has no memory of its own.
    List<String> holders = all.stream().filter(one -> !one.equals(CompareCommand.FLOOR)).toList();
    document.paragraph(
        "Time of an operation with MIMALLOC, and that with the others divided by it in the same"
            + " round: the median and the range of the rounds. Used: peak of the memory held by "
            + String.join(", ", holders)
            + ". Garbage: Java objects of an operation with MIMALLOC. The lowest ratio first.");
    List<Column<Map<String, Figures>>> columns = new ArrayList<>();
    columns.add(new Column<>("target", work -> reference(work).target().name()));
    columns.add(new Column<>("work", work -> reference(work).work()));
    columns.add(new Column<>("ns", work -> Table.cell("%,.1f", reference(work).nanos())));
    all.stream()
        .filter(one -> !one.equals(REFERENCE))
        .forEach(other -> columns.add(new Column<>(other, work -> ratio(work.get(other)))));
    columns.add(
        new Column<>(
            "used MiB",
            work ->
                holders.stream()
                    .filter(work::containsKey)
                    .map(allocator -> Table.mib("%.1f", work.get(allocator).used()))
                    .collect(Collectors.joining(" / "))));
    columns.add(new Column<>("garbage B", work -> Table.cell("%.1f", reference(work).garbage())));
    document.table(
        Table.of(
            2,
            columns,
            works.values().stream()
                .sorted(Comparator.comparingDouble(CompareReport::lowest))
                .toList()));
  }

  private static Figures reference(Map<String, Figures> work) {
    return work.get(REFERENCE);
  }

  private static double lowest(Map<String, Figures> work) {
    return work.values().stream()
        .filter(CompareReport::isPeers)
        .mapToDouble(one -> one.ratio().middle())
        .min()
        .orElse(Double.MAX_VALUE);
  }

  private static String ratio(@Nullable Figures one) {
    return one == null ? Table.NONE : one.ratio().textWithRange("%.2f");
  }
}
