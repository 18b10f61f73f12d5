package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.page.Chart;
import io.github.mimalloc4j.microbench.page.Chart.Axis;
import io.github.mimalloc4j.microbench.page.Chart.Scale;
import io.github.mimalloc4j.microbench.result.Spread;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pictures of a replay. */
final class ReplayCharts {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double PERCENT = 100;

  /** Points of the chart of sizes for each power of two. */
  private static final int POINTS_PER_POWER = 4;

  private final ReplayResults results;
  private final TraceSummary summary;

  ReplayCharts(ReplayResults results) {
    this.results = results;
    this.summary = results.summary();
  }

  Chart cpu() {
    Chart chart =
        Chart.bars(
            "Processor time of the allocation, growth and release of a buffer",
            "ns",
            List.of("at full speed", "at the recorded pace"));
    for (String allocator : results.allocators()) {
      NetFigures net = NetFigures.of(results, allocator);
      chart.series(
          allocator,
          List.of(
              Spread.of(net.cpuNanos(ReplayRun.Measured::fast)).at(0),
              Spread.of(net.cpuNanos(ReplayRun.Measured::paced)).at(1)));
    }
    return chart;
  }

  /** Of one JVM each: others look the same, and too many lines like none. */
  Chart used() {
    Chart chart = overTime("Used at the recorded pace: the memory that each allocator holds");
    chart.series("live", live());
    results.allocators().forEach(name -> add(chart, name, MemorySample::used));
    return chart;
  }

  Chart resident() {
    Chart chart =
        overTime("Resident at the recorded pace: the memory of each process without its Java heap");
    results.measured().keySet().forEach(name -> add(chart, name, MemorySample::resident));
    return chart;
  }

  private void add(Chart chart, String subject, Function<MemorySample, @Nullable Long> measure) {
    List<double[]> points = new ArrayList<>();
    for (MemorySample sample : results.measured().get(subject).get(0).pacedSamples()) {
      Long bytes = measure.apply(sample);
      if (bytes != null) {
        points.add(Chart.memory(Chart.seconds(sample.micros()), bytes));
      }
    }
    chart.series(subject, points);
  }

  private static Chart overTime(String caption) {
    return Chart.lines(caption, new Axis("seconds", Scale.LINEAR), new Axis("MiB", Scale.LINEAR));
  }

  private List<double[]> live() {
    List<Long> live = summary.liveBytes();
    double step = summary.facts().seconds() / live.size();
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < live.size() && i * step <= results.pacedSeconds(); i++) {
      points.add(Chart.memory(i * step, live.get(i)));
    }
    return points;
  }

  /** How many buffers have a size, and how many bytes they are. */
  Chart sizes() {
    Map<Integer, double[]> steps = new TreeMap<>();
    double[] all = new double[2];
    summary
        .sizes()
        .forEach(
            (size, count) -> {
              double[] step = steps.computeIfAbsent(step(size), unknown -> new double[2]);
              step[0] += count;
              step[1] += (double) count * size;
              all[0] += count;
              all[1] += (double) count * size;
            });
    Chart chart =
        Chart.points(
            "Requested sizes of allocations and reallocations",
            new Axis("bytes, up to", Scale.BYTES),
            new Axis("%", Scale.LINEAR));
    for (int i = 0; i < 2; i++) {
      List<double[]> points = new ArrayList<>();
      for (Map.Entry<Integer, double[]> step : steps.entrySet()) {
        double upTo = Math.pow(2, (step.getKey() + 1.0) / POINTS_PER_POWER);
        double share = all[i] == 0 ? 0 : PERCENT * step.getValue()[i] / all[i];
        points.add(Spread.of(Chart.rounded(share)).at(Math.round(upTo)));
      }
      chart.series(i == 0 ? "of all buffers" : "of all bytes", points);
    }
    return chart;
  }

  private static int step(int size) {
    double power = Math.log(Math.max(1, size)) / Math.log(2);
    return (int) Math.ceil(power * POINTS_PER_POWER) - 1;
  }

  Chart lifetimes() {
    double all = summary.released();
    return Chart.points(
            "Lifetimes of buffers allocated and released during the recording",
            new Axis("µs, up to", Scale.LOGARITHMIC),
            new Axis("% of these buffers", Scale.LINEAR))
        .series("released by their own thread", lifetimes(summary.lifetimes(), all))
        .series("released by another thread", lifetimes(summary.othersLifetimes(), all));
  }

  private static List<double[]> lifetimes(List<Long> counts, double all) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      if (counts.get(i) > 0) {
        double upTo = Math.pow(2, i + 1.0) / NANOS_PER_MICRO;
        points.add(Spread.of(Chart.rounded(PERCENT * counts.get(i) / all)).at(upTo));
      }
    }
    return points;
  }
}
