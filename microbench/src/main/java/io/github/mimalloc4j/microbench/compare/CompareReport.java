package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.List;
import java.util.Optional;

/** The ratios as a table, and as a plot. */
final class CompareReport extends CommandReport {
  private static final List<Column<Against>> COLUMNS =
      List.of(
          new Column<>("benchmark", Against::benchmark),
          new Column<>("work", Against::parameters),
          new Column<>("allocator", Against::allocator),
          new Column<>("ratio", one -> one.ratio().text()),
          new Column<>("min..max", one -> one.ratio().range()));

  private final List<Against> ratios;
  private final RangePlot plot;

  CompareReport(CompareResults results) {
    super("compare", "Single operations", results.setup());
    ratios = results.ratios();
    plot =
        RangePlot.ofRatios(
            "Single operations, JDK " + setup().jdk(),
            "time ÷ mimalloc4j's; right of 1 mimalloc4j is faster");
    for (Against one : ratios) {
      Spread ratio = one.ratio();
      plot.add(
          one.parameters(),
          AllocatorKind.plainName(one.allocator()),
          ratio.middle(),
          ratio.low(),
          ratio.high());
    }
    if (plot.isEmpty()) {
      throw new IllegalArgumentException("it has no ratios");
    }
  }

  @Override
  public List<Against> against() {
    return ratios.stream().filter(Against::isLoss).toList();
  }

  @Override
  public Optional<RangePlot> plot() {
    return Optional.of(plot);
  }

  @Override
  public void addTo(Document document) {
    document.paragraph(
        "Ratio: the time of an operation divided by that with MIMALLOC in the same round, as the"
            + " median and the range of the rounds.");
    document.table(Table.of(3, COLUMNS, ratios));
  }
}
