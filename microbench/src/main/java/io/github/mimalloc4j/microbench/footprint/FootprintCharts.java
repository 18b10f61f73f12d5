package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorColours;
import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.page.Axis;
import io.github.mimalloc4j.microbench.page.LineChart;
import io.github.mimalloc4j.microbench.page.LineChart.Look;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The samples of a result as charts over a common time: a phase begins at the same place for all
 * allocators, wherever a slow one took longer than the others.
 */
final class FootprintCharts {
  private static final double MICROS_PER_SECOND = 1e6;
  private static final double BYTES_PER_MIB = 1 << 20;

  /** Hundredths are finer than a screen can show. */
  private static final double ROUNDING = 100;

  private static final double SPACE_ABOVE = 0.05;

  private static final String LIVE_COLOUR = "#c3c8d0";
  private static final String RESIDENT_COLOUR = "#555555";

  private final Map<AllocatorKind, Timeline> timelines;
  private final long[] starts;

  FootprintCharts(Map<AllocatorKind, Timeline> timelines) {
    this.timelines = timelines;
    this.starts = Timeline.commonStarts(timelines.values());
  }

  /** Used of all allocators; live, which is the same for all of them, behind it. */
  LineChart used() {
    return compare(sample -> OptionalLong.of(sample.used()));
  }

  /** Resident of all allocators; live behind it. */
  LineChart resident() {
    return compare(Sample::resident);
  }

  /** Used, live and resident of one allocator. */
  LineChart of(AllocatorKind allocator) {
    Timeline timeline = timelines.get(allocator);
    LineChart chart = withPhases().upTo(highest()).line(live(timeline));
    if (residentIsKnown()) {
      List<double[]> resident = points(timeline, Sample::resident);
      chart.line(new LineChart.Line("resident", RESIDENT_COLOUR, Look.DASHED, resident));
    }
    List<double[]> used = points(timeline, sample -> OptionalLong.of(sample.used()));
    return chart.line(new LineChart.Line("used", colour(allocator), Look.SOLID, used));
  }

  /** Whether the system told. */
  boolean residentIsKnown() {
    return timelines.values().stream()
        .allMatch(timeline -> timeline.figures(Phase.END_IDLE).endResident().isPresent());
  }

  private LineChart compare(Function<Sample, OptionalLong> measure) {
    LineChart chart = withPhases().line(live(timelines.values().iterator().next()));
    // The first one last, so that it is seen where lines lie upon each other.
    List<LineChart.Line> lines = new ArrayList<>();
    timelines.forEach(
        (allocator, timeline) ->
            lines.add(
                new LineChart.Line(
                    allocator.name(), colour(allocator), Look.SOLID, points(timeline, measure))));
    lines.forEach(chart::line);
    return chart;
  }

  private LineChart withPhases() {
    LineChart chart =
        new LineChart(new Axis("seconds", Axis.Scale.LINEAR), new Axis("MiB", Axis.Scale.LINEAR));
    for (Phase phase : Phase.values()) {
      double from = rounded(starts[phase.ordinal()] / MICROS_PER_SECOND);
      double to = rounded(starts[phase.ordinal() + 1] / MICROS_PER_SECOND);
      chart.band(new LineChart.Band(phase.label(), from, to, phase.idle()));
    }
    return chart;
  }

  /** Of all allocators and measures, in MiB, with a little space above. */
  private double highest() {
    long bytes =
        timelines.values().stream()
            .flatMap(
                timeline ->
                    Arrays.stream(Phase.values()).flatMap(p -> timeline.samples(p).stream()))
            .mapToLong(sample -> Math.max(sample.used(), sample.resident().orElse(0)))
            .max()
            .orElse(0);
    return rounded(bytes / BYTES_PER_MIB * (1 + SPACE_ABOVE));
  }

  private LineChart.Line live(Timeline timeline) {
    List<double[]> points = points(timeline, sample -> OptionalLong.of(sample.live()));
    return new LineChart.Line("live", LIVE_COLOUR, Look.AREA, points);
  }

  private List<double[]> points(Timeline timeline, Function<Sample, OptionalLong> measure) {
    List<double[]> points = new ArrayList<>();
    for (Phase phase : Phase.values()) {
      for (Sample sample : timeline.samples(phase)) {
        OptionalLong bytes = measure.apply(sample);
        if (bytes.isPresent()) {
          long micros = starts[phase.ordinal()] + timeline.microsWithin(sample);
          points.add(
              new double[] {
                rounded(micros / MICROS_PER_SECOND), rounded(bytes.getAsLong() / BYTES_PER_MIB)
              });
        }
      }
    }
    return points;
  }

  private static double rounded(double value) {
    return Math.round(value * ROUNDING) / ROUNDING;
  }

  private static String colour(AllocatorKind allocator) {
    return AllocatorColours.of(allocator.name());
  }
}
