package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.result.Spread;
import io.github.mimalloc4j.microbench.trace.LifeCounts;
import io.github.mimalloc4j.microbench.trace.RecordedFacts;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What an allocator took, without what the replay itself takes: of each round, its figure less that
 * of the same round without an allocator.
 */
final class NetFigures {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<ReplayRun.Measured> own;
  private final List<ReplayRun.Measured> floor;

  private NetFigures(List<ReplayRun.Measured> own, List<ReplayRun.Measured> floor) {
    this.own = own;
    this.floor = floor;
  }

  static NetFigures of(ReplayResults results, String subject) {
    return new NetFigures(
        Objects.requireNonNull(results.measured().get(subject), subject),
        Objects.requireNonNull(
            results.measured().get(ReplayRun.NO_ALLOCATOR), ReplayRun.NO_ALLOCATOR));
  }

  /**
   * Nanoseconds of a processor for a buffer: its allocation, growth and release. Where not all
   * buffers that are allocated are released, two of these operations make a buffer.
   */
  List<Double> cpuNanos(Function<ReplayRun.Measured, ReplayRun.Figures> way) {
    return net(way, ReplayRun.Figures::cpuNanos);
  }

  /** Bytes of Java objects for a buffer. */
  Spread garbage(Function<ReplayRun.Measured, ReplayRun.Figures> way) {
    return Spread.of(net(way, ReplayRun.Figures::javaBytes));
  }

  private List<Double> net(
      Function<ReplayRun.Measured, ReplayRun.Figures> way,
      ToLongFunction<ReplayRun.Figures> figure) {
    List<Double> rounds = new ArrayList<>();
    for (int round = 0; round < own.size(); round++) {
      rounds.add(
          aBuffer(way.apply(own.get(round)), figure)
              - aBuffer(way.apply(floor.get(round)), figure));
    }
    return rounds;
  }

  private static double aBuffer(
      ReplayRun.Figures figures, ToLongFunction<ReplayRun.Figures> figure) {
    return figure.applyAsLong(figures) / Math.max(1, figures.buffers());
  }

  /**
   * The share of the recorded program's processor time that this allocator's work would be; null if
   * that time is not recorded.
   */
  @Nullable Spread share(
      TraceSummary recorded, Function<ReplayRun.Measured, ReplayRun.Figures> way) {
    RecordedFacts facts = recorded.facts();
    Double cores = facts.cores();
    if (cores == null || cores <= 0 || facts.seconds() <= 0) {
      return null;
    }
    LifeCounts counts = recorded.counts();
    double buffersPerSecond = (counts.allocations() + counts.releases()) / 2.0 / facts.seconds();
    return Spread.of(
        cpuNanos(way).stream()
            .map(nanos -> nanos * buffersPerSecond / (cores * NANOS_PER_SECOND))
            .toList());
  }

  /**
   * One figure of a measure of memory in each round, such as the peak, in bytes; null where nobody
   * tells.
   */
  static @Nullable Spread memory(
      List<ReplayRun.Measured> rounds,
      Function<ReplayRun.Measured, List<MemorySample>> way,
      Function<MemorySample, @Nullable Long> measure,
      ToDoubleFunction<Spread> figure) {
    List<Double> figures = new ArrayList<>();
    for (ReplayRun.Measured round : rounds) {
      List<Double> samples =
          way.apply(round).stream()
              .map(measure)
              .filter(Objects::nonNull)
              .map(Long::doubleValue)
              .toList();
      if (samples.isEmpty()) {
        return null;
      }
      figures.add(figure.applyAsDouble(Spread.of(samples)));
    }
    return Spread.of(figures);
  }
}
