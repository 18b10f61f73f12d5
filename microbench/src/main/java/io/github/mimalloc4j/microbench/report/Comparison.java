package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.Ratio;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Results of the same work, side by side: each allocator's. */
final class Comparison {
  /** What the others are compared to. */
  static final String REFERENCE = "MIMALLOC";

  /** No allocator, but the floor of what is possible: it is shown and not competed with. */
  static final String FLOOR = "BARE";

  /** Names of other measures that benchmarks of this project report; bytes, and nanoseconds. */
  static final String USED = "used.peak";

  static final String LIVE = "live.peak";
  static final String RESIDENT = "resident";
  static final String CPU_TIME = "cpu.time";

  static final String COLLECTIONS = "collections";

  /** By JMH's own profiler gc. */
  static final String GC_COUNT = "gc.count";

  static final String GARBAGE = "gc.alloc.rate.norm";

  private static final List<String> MEMORY =
      List.of(USED, LIVE, RESIDENT, COLLECTIONS, GC_COUNT, GARBAGE);

  /** Of less, the ratio says how large an allocator's steps are, and no more. */
  private static final double MIB = 1 << 20;

  private static final List<String> ORDER = List.of(REFERENCE, "ADAPTIVE", "POOLED", "UNPOOLED");

  private final Result.Work work;
  private final Map<String, Result> results = new LinkedHashMap<>();

  Comparison(Result.Work work) {
    this.work = work;
  }

  void add(Result result) {
    results.merge(result.allocator(), result, Result::and);
  }

  Result.Work work() {
    return work;
  }

  /** Our own first, the floor last. */
  List<String> allocators() {
    return results.keySet().stream().sorted(byRank()).toList();
  }

  static Comparator<String> byRank() {
    return Comparator.comparingInt(Comparison::rank).thenComparing(Comparator.naturalOrder());
  }

  private static int rank(String allocator) {
    int index = ORDER.indexOf(allocator);
    if (index >= 0) {
      return index;
    }
    return allocator.equals(FLOOR) ? Integer.MAX_VALUE : ORDER.size();
  }

  Optional<Result> result(String allocator) {
    return Optional.ofNullable(results.get(allocator));
  }

  /** Whether all results are of several JVMs. */
  boolean hasForks() {
    return results.values().stream().noneMatch(result -> result.time().isOfOneFork());
  }

  /** By JMH's time, or its throughput, where more is better. */
  Optional<Ratio> timeRatio(String allocator) {
    return ratio(allocator, work.isThroughput(), result -> Optional.of(result.time()));
  }

  /** By another measure, of which less is better. */
  Optional<Ratio> ratio(String allocator, String measure) {
    return ratio(allocator, false, result -> result.secondary(measure));
  }

  /** The most that was held, divided by the most that was asked for; empty for small amounts. */
  Optional<Double> usedToLive(String allocator) {
    Optional<Double> used = highest(allocator, USED);
    Optional<Double> live = highest(allocator, LIVE).filter(bytes -> bytes >= MIB);
    return used.isPresent() && live.isPresent()
        ? Optional.of(used.get() / live.get())
        : Optional.empty();
  }

  /** The highest value of another measure; empty for 0, which says that nobody told. */
  Optional<Double> highest(String allocator, String measure) {
    return result(allocator)
        .flatMap(found -> found.secondary(measure))
        .map(Metric::highest)
        .filter(value -> value > 0);
  }

  /** Whether any of the results tells of the memory. */
  boolean hasMemory() {
    return results.values().stream()
        .anyMatch(result -> MEMORY.stream().anyMatch(name -> result.secondary(name).isPresent()));
  }

  boolean hasCpuTime() {
    return results.values().stream().anyMatch(result -> result.secondary(CPU_TIME).isPresent());
  }

  /** Empty for the reference itself, and where one of both has nothing, or 0. */
  private Optional<Ratio> ratio(
      String allocator, boolean moreIsBetter, Function<Result, Optional<Metric>> measure) {
    if (allocator.equals(REFERENCE)) {
      return Optional.empty();
    }
    Optional<List<Double>> times = samples(allocator, measure);
    Optional<List<Double>> reference = samples(REFERENCE, measure);
    if (times.isEmpty() || reference.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        moreIsBetter
            ? Ratio.ofAllPairs(reference.get(), times.get())
            : Ratio.ofAllPairs(times.get(), reference.get()));
  }

  private Optional<List<Double>> samples(
      String allocator, Function<Result, Optional<Metric>> measure) {
    return result(allocator)
        .flatMap(measure)
        .map(Metric::samples)
        .filter(samples -> samples.stream().allMatch(sample -> sample > 0));
  }
}
