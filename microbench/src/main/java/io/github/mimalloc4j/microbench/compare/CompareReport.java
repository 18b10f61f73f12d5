package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.compare.CompareResults.Figures;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Operation;
import io.github.mimalloc4j.microbench.result.Operation.Cost;
import io.github.mimalloc4j.microbench.result.Operations;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All work as a table, and what all work of a target has in common as a plot. */
final class CompareReport extends CommandReport {
  private static final String RATIOS =
      "Time of an operation with MIMALLOC, and that with the others divided by it in the same"
          + " round: the median and the range of the rounds. It is the processor time of the"
          + " benchmark's threads (%s: wall time), without that of upkeep and of collections.";

  private final Operations operations;
  private final List<String> unsteady;
  private final RangePlot plot;

  CompareReport(CompareResults results) {
    super("compare", "Single operations", results.setup());
    List<Figures> figures = results.figures();
    List<Operation> works =
        figures.stream()
            .collect(Collectors.groupingBy(Figures::work, LinkedHashMap::new, Collectors.toList()))
            .values()
            .stream()
            .map(CompareReport::operation)
            .toList();
    if (works.isEmpty()
        || !works.stream().allMatch(each -> each.costs().containsKey(Against.REFERENCE))) {
      throw new IllegalArgumentException("it has no figures, or some without " + Against.REFERENCE);
    }
    operations = new Operations("target", "work", works);
    unsteady = figures.stream().flatMap(one -> one.unsteady().stream()).toList();
    plot =
        RangePlot.ofRatios(
            "Single operations, JDK " + setup().jdk(),
            "time ÷ mimalloc4j's; right of 1 mimalloc4j is faster");
    figures.stream()
        .filter(CompareReport::isPeers)
        .collect(
            Collectors.groupingBy(
                Figures::target,
                LinkedHashMap::new,
                Collectors.groupingBy(Figures::allocator, LinkedHashMap::new, Collectors.toList())))
        .forEach((target, all) -> all.forEach((allocator, some) -> add(target, allocator, some)));
  }

  private static Operation operation(List<Figures> ofOneWork) {
    Figures any = ofOneWork.get(0);
    Map<String, Cost> costs = new LinkedHashMap<>();
    for (Figures one : ofOneWork) {
      Cost cost = new Cost(one.nanos(), one.ratio(), one.used(), one.garbage());
      if (costs.put(one.allocator(), cost) != null) {
        throw new IllegalArgumentException(one.work() + " is there twice with " + one.allocator());
      }
    }
    return new Operation(any.target().name(), any.work(), any.benchmark(), Map.of(), costs);
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

  private static boolean isPeers(Figures one) {
    return !one.allocator().equals(Against.REFERENCE)
        && !one.allocator().equals(AllocatorSource.BARE_NAME);
  }

  @Override
  public List<Against> against() {
    return operations.against();
  }

  @Override
  public Optional<RangePlot> plot() {
    return Optional.of(plot);
  }

  @Override
  public void addTo(Document document) {
    String byWallTime =
        Arrays.stream(Target.values())
            .filter(target -> target.clock == Target.Clock.WALL)
            .map(Enum::name)
            .collect(Collectors.joining(", "));
    operations.addTo(document, RATIOS.formatted(byWallTime));
    unsteady.forEach(document::paragraph);
  }
}
