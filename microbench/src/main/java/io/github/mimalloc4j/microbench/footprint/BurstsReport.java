package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What stayed resident after each burst, a row for each allocator. */
final class BurstsReport extends CommandReport {
  private final BurstsResults results;
  private final int bursts;

  BurstsReport(BurstsResults results) {
    super("footprint --bursts", "Resident memory after bursts", results.setup());
    this.results = results;
    bursts =
        results.allocators().values().stream().mapToInt(own -> own.bursts().size()).max().orElse(0);
    if (bursts == 0) {
      throw new IllegalArgumentException("it has no bursts");
    }
    if (!results.allocators().values().stream().allMatch(own -> own.bursts().size() == bursts)) {
      throw new IllegalArgumentException("its allocators have different numbers of bursts");
    }
  }

  /**
   * Compares the most that stayed resident after a burst; not its share of a peak, which differs.
   */
  @Override
  public List<Against> against() {
    BurstsRun.Bursts ours = results.allocators().get(Against.REFERENCE);
    if (ours == null || mostResident(ours) == 0) {
      return List.of();
    }
    return results.allocators().entrySet().stream()
        .map(
            own ->
                new Against(
                    command(),
                    results.sizes(),
                    own.getKey(),
                    "resident memory after a burst",
                    Spread.of((double) mostResident(own.getValue()) / mostResident(ours))))
        .filter(one -> !one.allocator().equals(Against.REFERENCE))
        .toList();
  }

  @Override
  public Optional<RangePlot> plot() {
    RangePlot plot =
        RangePlot.ofPercentages(
            "Memory after a burst, JDK " + setup().jdk(),
            "%% of the burst's peak still resident %s s later, %d bursts"
                .formatted(seconds(), bursts));
    results
        .allocators()
        .forEach(
            (allocator, own) -> {
              Spread shares = own.shares();
              String name = AllocatorKind.plainName(allocator);
              plot.add(name, name, 100 * shares.middle(), 100 * shares.low(), 100 * shares.high());
            });
    return Optional.of(plot);
  }

  @Override
  public void addTo(Document document) {
    document.paragraph(
        "Resident MiB above that before the first burst, %s s after each of %d bursts of %d MiB"
                .formatted(seconds(), bursts, results.plan().burstBytes() >> 20)
            + " ("
            + results.sizes()
            + "). The Java heap is resident from the start.");
    List<Column<Map.Entry<String, BurstsRun.Bursts>>> columns = new ArrayList<>();
    columns.add(new Column<>("allocator", Map.Entry::getKey));
    columns.add(new Column<>("peak", row -> Table.mib("%.0f", highestPeak(row.getValue()))));
    for (int i = 0; i < bursts; i++) {
      int burst = i;
      columns.add(
          new Column<>(
              "after " + (i + 1),
              row -> Table.mib("%.0f", row.getValue().bursts().get(burst).resident())));
    }
    columns.add(
        new Column<>(
            "highest % of peak", row -> Table.cell("%.1f", 100 * row.getValue().shares().high())));
    columns.add(
        new Column<>(
            "used at the end",
            row -> Table.mib("%.1f", row.getValue().bursts().get(bursts - 1).used())));
    document.table(Table.of(1, columns, List.copyOf(results.allocators().entrySet())));
  }

  private double seconds() {
    return results.plan().phase().toMillis() / 1000.0;
  }

  private static long mostResident(BurstsRun.Bursts bursts) {
    long most = bursts.bursts().stream().mapToLong(BurstsRun.Burst::resident).max().orElse(0);
    return Math.max(0, most);
  }

  private static long highestPeak(BurstsRun.Bursts bursts) {
    return bursts.bursts().stream().mapToLong(BurstsRun.Burst::peakResident).max().orElse(0);
  }
}
