package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.AllocatorColours;
import io.github.mimalloc4j.microbench.Numbers;
import io.github.mimalloc4j.microbench.Ratio;
import io.github.mimalloc4j.microbench.page.Axis;
import io.github.mimalloc4j.microbench.page.BarChart;
import io.github.mimalloc4j.microbench.page.PointChart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Comparisons as charts. */
final class ReportCharts {
  private static final String RATIO = "times as long as " + Comparison.REFERENCE;

  private final Comparisons comparisons;

  ReportCharts(Comparisons comparisons) {
    this.comparisons = comparisons;
  }

  /** The ratios of some comparisons of one benchmark; empty where there is nothing to compare. */
  Optional<BarChart> ratios(List<Comparison> some) {
    List<Comparison> shown = some.stream().filter(ReportCharts::hasRatios).toList();
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    BarChart chart = new BarChart(RATIO, shown.stream().map(comparisons::label).toList());
    for (String allocator : peers(shown)) {
      chart.bars(
          allocator,
          AllocatorColours.of(allocator),
          shown.stream()
              .map(comparison -> comparison.timeRatio(allocator).map(ReportCharts::bar))
              .toList());
    }
    return Optional.of(chart.mark(Comparison.REFERENCE, 1));
  }

  /** What allocators held of what was asked for, in some comparisons of one benchmark. */
  Optional<BarChart> usedToLive(List<Comparison> some) {
    List<Comparison> shown = some.stream().filter(ReportCharts::hasUsedToLive).toList();
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    BarChart chart = new BarChart("used ÷ live", shown.stream().map(comparisons::label).toList());
    for (String allocator : Comparisons.allocators(shown)) {
      chart.bars(
          allocator,
          AllocatorColours.of(allocator),
          shown.stream()
              .map(
                  one ->
                      one.usedToLive(allocator).map(ratio -> new BarChart.Bar(ratio, ratio, ratio)))
              .toList());
    }
    return Optional.of(chart.mark("live", 1));
  }

  private static boolean hasUsedToLive(Comparison comparison) {
    return comparison.allocators().stream().anyMatch(a -> comparison.usedToLive(a).isPresent());
  }

  private static boolean hasRatios(Comparison comparison) {
    return comparison.allocators().stream().anyMatch(a -> comparison.timeRatio(a).isPresent());
  }

  private static List<String> peers(List<Comparison> some) {
    return Comparisons.allocators(some).stream()
        .filter(allocator -> !allocator.equals(Comparison.REFERENCE))
        .toList();
  }

  private static BarChart.Bar bar(Ratio ratio) {
    return new BarChart.Bar(ratio.middle(), ratio.low(), ratio.high());
  }

  /** What all threads together get done, by their number. */
  Optional<PointChart> scaling(Family family) {
    Axis operations = new Axis("operations per µs, all threads", Axis.Scale.LINEAR);
    Axis threads = new Axis("threads", Axis.Scale.WHOLE);
    return chart(family, threads, operations, ReportCharts::operations);
  }

  /** What was measured, by the number of threads that a benchmark starts itself. */
  Optional<PointChart> overWorkers(Family family) {
    Axis score = new Axis(family.any().work().unit(), Axis.Scale.LINEAR);
    return chart(family, new Axis(family.axis(), Axis.Scale.WHOLE), score, ReportCharts::time);
  }

  /** The time of an operation, by the size. */
  Optional<PointChart> times(Family family) {
    Axis time = new Axis(family.any().work().unit(), Axis.Scale.LOGARITHMIC);
    return chart(family, size(family), time, ReportCharts::time);
  }

  /** The ratios, by the size. */
  Optional<PointChart> ratios(Family family) {
    return chart(family, size(family), new Axis(RATIO, Axis.Scale.LINEAR), ReportCharts::ratio)
        .map(chart -> chart.mark(Comparison.REFERENCE, 1));
  }

  private static Axis size(Family family) {
    return new Axis(family.axis(), Axis.Scale.BYTES);
  }

  /** A line for each allocator that has at least one point. */
  private static Optional<PointChart> chart(
      Family family,
      Axis x,
      Axis y,
      BiFunction<Comparison, String, Optional<PointChart.Point>> point) {
    List<Comparison> members = List.copyOf(family.members().values());
    PointChart chart = new PointChart(x, y);
    boolean some = false;
    for (String allocator : Comparisons.allocators(members)) {
      List<PointChart.Point> points = new ArrayList<>();
      family
          .members()
          .forEach(
              (number, comparison) ->
                  point
                      .apply(comparison, allocator)
                      .map(p -> new PointChart.Point(number, p.y(), p.low(), p.high()))
                      .ifPresent(points::add));
      if (!points.isEmpty()) {
        chart.line(
            allocator, AllocatorColours.of(allocator), allocator.equals(Comparison.FLOOR), points);
        some = true;
      }
    }
    return some ? Optional.of(chart) : Optional.empty();
  }

  private static Optional<PointChart.Point> ratio(Comparison comparison, String allocator) {
    return comparison
        .timeRatio(allocator)
        .map(ratio -> new PointChart.Point(0, ratio.middle(), ratio.low(), ratio.high()));
  }

  private static Optional<PointChart.Point> time(Comparison comparison, String allocator) {
    return comparison.result(allocator).map(result -> spread(result.time().samples()));
  }

  private static Optional<PointChart.Point> operations(Comparison comparison, String allocator) {
    return comparison
        .result(allocator)
        .map(
            result ->
                result.time().samples().stream()
                    .map(sample -> Units.operationsPerMicro(comparison.work(), sample))
                    .flatMap(some -> some.isPresent() ? Stream.of(some.getAsDouble()) : Stream.of())
                    .toList())
        .filter(values -> !values.isEmpty())
        .map(ReportCharts::spread);
  }

  private static PointChart.Point spread(List<Double> values) {
    return new PointChart.Point(
        0, Numbers.median(values), Numbers.min(values), Numbers.max(values));
  }
}
