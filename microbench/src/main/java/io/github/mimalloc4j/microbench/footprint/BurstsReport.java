package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What stayed resident after each burst, a row for each allocator. */
final class BurstsReport {
  private static final double MIB = 1 << 20;

  private BurstsReport() {}

  static Table table(Map<AllocatorKind, BurstsRun.Bursts> results) {
    int bursts =
        results.values().stream().mapToInt(each -> each.bursts().size()).max().orElseThrow();
    List<Column<Map.Entry<AllocatorKind, BurstsRun.Bursts>>> columns = new ArrayList<>();
    columns.add(new Column<>("allocator", row -> row.getKey().name()));
    columns.add(new Column<>("peak", row -> mib(highestPeak(row.getValue()))));
    for (int i = 0; i < bursts; i++) {
      int burst = i;
      columns.add(
          new Column<>(
              "after " + (i + 1), row -> mib(row.getValue().bursts().get(burst).resident())));
    }
    columns.add(
        new Column<>(
            "at most % of peak", row -> Table.cell("%.1f", 100 * row.getValue().highestShare())));
    columns.add(
        new Column<>(
            "used at the end",
            row -> Table.cell("%.1f", row.getValue().bursts().get(bursts - 1).used() / MIB)));
    return Table.of(1, columns, List.copyOf(results.entrySet()));
  }

  private static long highestPeak(BurstsRun.Bursts bursts) {
    return bursts.bursts().stream().mapToLong(BurstsRun.Burst::peakResident).max().orElse(0);
  }

  private static String mib(long bytes) {
    return Table.cell("%.0f", bytes / MIB);
  }
}
