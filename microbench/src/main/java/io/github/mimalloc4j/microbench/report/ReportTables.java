package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.Against;
import io.github.mimalloc4j.microbench.Ratio;
import io.github.mimalloc4j.microbench.page.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Comparisons as tables. */
final class ReportTables {
  private static final double MIB = 1 << 20;
  private static final String NONE = "-";

  /** Benchmark, parameters and allocator; the others are numbers. */
  private static final int TEXT_COLUMNS = 3;

  private static final List<String> AGAINST =
      List.of("benchmark", "parameters", "allocator", "measure", "ratio", "min..max");

  private static final List<String> SPEED =
      List.of(
          "benchmark",
          "parameters",
          "allocator",
          "time",
          "ratio",
          "min..max",
          "by CPU time",
          "used MiB",
          "used/live");

  private static final List<String> MEMORY =
      List.of(
          "benchmark",
          "parameters",
          "allocator",
          "time ratio",
          "used MiB",
          "live MiB",
          "used/live",
          "resident MiB",
          "GCs per JVM",
          "garbage B/op");

  private final Comparisons comparisons;

  ReportTables(Comparisons comparisons) {
    this.comparisons = comparisons;
  }

  /** Where another allocator did better than ours, the worst first; the floor is no allocator. */
  List<Against> against() {
    List<Against> all = new ArrayList<>();
    for (Comparison comparison : comparisons.all()) {
      for (String allocator : comparison.allocators()) {
        if (!allocator.equals(Comparison.FLOOR)) {
          add(all, comparison, allocator, "time", comparison.timeRatio(allocator));
          addSecondary(all, comparison, allocator, "CPU time", Comparison.CPU_TIME);
          addSecondary(all, comparison, allocator, "used memory", Comparison.USED);
          addSecondary(all, comparison, allocator, "resident memory", Comparison.RESIDENT);
        }
      }
    }
    return all;
  }

  private void addSecondary(
      List<Against> all, Comparison comparison, String allocator, String words, String measure) {
    add(all, comparison, allocator, words, comparison.ratio(allocator, measure));
  }

  private void add(
      List<Against> all,
      Comparison comparison,
      String allocator,
      String measure,
      Optional<Ratio> ratio) {
    ratio
        .filter(Ratio::isAgainstReference)
        .ifPresent(
            found ->
                all.add(
                    new Against(
                        comparison.work().benchmark(),
                        comparisons.label(comparison),
                        allocator,
                        measure,
                        found)));
  }

  /** With three digits behind the point: 0.998 is not 1.00. */
  static Table against(List<Against> all) {
    return new Table(
        AGAINST,
        TEXT_COLUMNS + 1,
        all.stream()
            .sorted(Comparator.comparingDouble(one -> one.ratio().middle()))
            .map(
                one ->
                    List.of(
                        one.benchmark(),
                        one.parameters(),
                        one.allocator(),
                        one.measure(),
                        format("%.3f", one.ratio().middle()),
                        format("%.3f..%.3f", one.ratio().low(), one.ratio().high())))
            .toList());
  }

  /** All ratios, with what most people want to know of the memory. */
  Table speed() {
    return table(
        SPEED,
        comparison -> true,
        (comparison, allocator) -> {
          Optional<Result> result = comparison.result(allocator);
          Optional<Ratio> ratio = comparison.timeRatio(allocator);
          return List.of(
              result.map(r -> time(r.time())).orElse(NONE),
              ratio.map(Ratio::text).orElse(NONE),
              ratio.map(Ratio::spread).orElse(NONE),
              comparison.ratio(allocator, Comparison.CPU_TIME).map(Ratio::text).orElse(NONE),
              mib(comparison.highest(allocator, Comparison.USED)),
              usedToLive(comparison, allocator));
        });
  }

  /** The memory beside the speed, for those benchmarks that report any of it. */
  Table memory() {
    return table(
        MEMORY,
        Comparison::hasMemory,
        (comparison, allocator) -> {
          Optional<Result> result = comparison.result(allocator);
          return List.of(
              comparison.timeRatio(allocator).map(Ratio::text).orElse(NONE),
              mib(comparison.highest(allocator, Comparison.USED)),
              mib(comparison.highest(allocator, Comparison.LIVE)),
              usedToLive(comparison, allocator),
              mib(comparison.highest(allocator, Comparison.RESIDENT)),
              metric(result, Comparison.COLLECTIONS)
                  .or(() -> metric(result, Comparison.GC_COUNT))
                  .map(metric -> format("%.1f", metric.sumPerFork()))
                  .orElse(NONE),
              metric(result, Comparison.GARBAGE)
                  .map(metric -> format("%.1f", metric.middle()))
                  .orElse(NONE));
        });
  }

  /** A row for each allocator of each comparison. */
  private Table table(
      List<String> header,
      Predicate<Comparison> shown,
      BiFunction<Comparison, String, List<String>> numbers) {
    List<List<String>> rows = new ArrayList<>();
    for (String benchmark : comparisons.benchmarks()) {
      for (Comparison comparison : comparisons.of(benchmark).stream().filter(shown).toList()) {
        String name = benchmark;
        String label = comparisons.label(comparison);
        for (String allocator : comparison.allocators()) {
          List<String> row = new ArrayList<>(List.of(name, label, allocator));
          row.addAll(numbers.apply(comparison, allocator));
          rows.add(row);
          name = "";
          label = "";
        }
      }
    }
    return new Table(header, TEXT_COLUMNS, rows);
  }

  private static Optional<Metric> metric(Optional<Result> result, String name) {
    return result.flatMap(found -> found.secondary(name));
  }

  private static String time(Metric time) {
    return format(time.middle() < 1000 ? "%.1f %s" : "%,.0f %s", time.middle(), time.unit());
  }

  private static String mib(Optional<Double> bytes) {
    return bytes.map(number -> format("%.1f", number / MIB)).orElse(NONE);
  }

  private static String usedToLive(Comparison comparison, String allocator) {
    return comparison.usedToLive(allocator).map(ratio -> format("%.2f", ratio)).orElse(NONE);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
