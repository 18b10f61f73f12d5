package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.harness.SideResultsProfiler;
import io.github.mimalloc4j.microbench.report.Result.Metric;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of the same work, side by side: each allocator's. */
final class Comparison {
  static final String REFERENCE = "MIMALLOC";

  /** No allocator, but the floor of what is possible: it is shown and not competed with. */
  static final String FLOOR = "BARE";

  /** JMH's time, or its throughput, where more is better. */
  static final String TIME = "time";

  /** Names of other measures that benchmarks of this project report; bytes, and nanoseconds. */
  static final String USED = SideResultsProfiler.PEAK_USED;

  static final String LIVE = SideResultsProfiler.PEAK_LIVE;
  static final String RESIDENT = SideResultsProfiler.RESIDENT;
  static final String CPU_TIME = SideResultsProfiler.CPU_TIME;
  static final String COLLECTIONS = SideResultsProfiler.GC_COUNT;

  /** By JMH's own profiler gc. */
  static final String GC_COUNT = "gc.count";

  static final String GARBAGE = "gc.alloc.rate.norm";

  /** Of less, the ratio says how large an allocator's steps are, and no more. */
  private static final double LEAST_LIVE = 1 << 20;

  private static final List<String> ORDER = List.of(REFERENCE, "ADAPTIVE", "POOLED", "UNPOOLED");

  static final Comparator<String> BY_RANK =
      Comparator.comparingInt(Comparison::rank).thenComparing(Comparator.naturalOrder());

  private final Result.Work work;
  private final Map<String, Map<String, Metric>> byAllocator = new LinkedHashMap<>();

  Comparison(Result.Work work) {
    this.work = work;
  }

  /** Adds a result; what repeats one that is there adds its forks. */
  void add(Result result) {
    Map<String, Metric> own =
        byAllocator.computeIfAbsent(result.allocator(), allocator -> new LinkedHashMap<>());
    result.metrics().forEach((measure, metric) -> own.merge(measure, metric, Metric::and));
  }

  Result.Work work() {
    return work;
  }

  List<String> allocators() {
    return byAllocator.keySet().stream().sorted(BY_RANK).toList();
  }

  private static int rank(String allocator) {
    int index = ORDER.indexOf(allocator);
    return index >= 0 ? index : allocator.equals(FLOOR) ? Integer.MAX_VALUE : ORDER.size();
  }

  boolean hasForks() {
    return byAllocator.values().stream().allMatch(own -> own.get(TIME).forks().size() > 1);
  }

  boolean has(List<String> measures) {
    return byAllocator.values().stream()
        .anyMatch(own -> measures.stream().anyMatch(own::containsKey));
  }

  Optional<Metric> metric(String allocator, String measure) {
    return Optional.ofNullable(byAllocator.getOrDefault(allocator, Map.of()).get(measure));
  }

  Optional<Spread> spread(String allocator, String measure) {
    return metric(allocator, measure).map(Metric::samples).map(Spread::of);
  }

  /** Of each microsecond, of all threads together. */
  Optional<Spread> operations(String allocator) {
    return metric(allocator, TIME)
        .map(Metric::samples)
        .map(all -> all.stream().map(work::operationsPerMicro).flatMap(Optional::stream).toList())
        .filter(values -> !values.isEmpty())
        .map(Spread::of);
  }

  /**
   * How many times the reference's: above 1 the reference is better. Empty for the reference
   * itself, and where one of both has nothing, or 0.
   */
  Optional<Spread> ratio(String allocator, String measure) {
    List<Double> theirs = samples(allocator, measure);
    List<Double> ours = samples(REFERENCE, measure);
    if (allocator.equals(REFERENCE) || theirs.isEmpty() || ours.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        measure.equals(TIME) && work.isThroughput()
            ? Spread.ofAllPairs(ours, theirs)
            : Spread.ofAllPairs(theirs, ours));
  }

  private List<Double> samples(String allocator, String measure) {
    return metric(allocator, measure)
        .map(Metric::samples)
        .filter(samples -> samples.stream().allMatch(sample -> sample > 0))
        .orElse(List.of());
  }

  /** The highest value of a measure; empty for 0, which says that nobody told. */
  Optional<Double> highest(String allocator, String measure) {
    return metric(allocator, measure).map(Metric::highest).filter(value -> value > 0);
  }

  /** The most that was held, divided by the most that was asked for; empty for small amounts. */
  Optional<Double> usedToLive(String allocator) {
    return highest(allocator, LIVE)
        .filter(live -> live >= LEAST_LIVE)
        .flatMap(live -> highest(allocator, USED).map(used -> used / live));
  }
}
