package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports memory beside JMH's timings: {@code -prof
 * io.github.mimalloc4j.microbench.SideResultsProfiler}.
 *
 * <ul>
 *   <li>{@value #PEAK_USED}: bytes that the allocator held at most, since the fork began
 *   <li>{@value #PEAK_LIVE}: bytes that the benchmark had asked for and not released, at most
 *   <li>{@value #RESIDENT}: resident memory of the JVM after the iteration, where the system tells
 *   <li>{@value #CPU_TIME}: processor time of an operation, all of the benchmark's threads together
 *   <li>{@value #GC_COUNT}, {@value #GC_TIME}: collections during the iterations
 * </ul>
 *
 * <p>Benchmarks record outside of what is timed, and statically, because JMH makes benchmark states
 * and profilers apart from each other; a fork measures one allocator, so there is nothing to tell
 * apart.
 */
public final class SideResultsProfiler implements InternalProfiler {
  public static final String PEAK_USED = "used.peak";
  public static final String PEAK_LIVE = "live.peak";
  public static final String RESIDENT = "resident";
  public static final String CPU_TIME = "cpu.time";
  public static final String GC_COUNT = "collections";
  public static final String GC_TIME = "collections.time";

  private static long peakUsed;
  private static long peakLive;
  private static long cpuNanos;

  private long gcCount;
  private long gcMillis;

  /**
   * Takes a sample of the memory.
   *
   * @param used bytes that the allocator holds
   * @param live bytes that the benchmark asked for and has not released
   */
  static synchronized void memory(long used, long live) {
    peakUsed = Math.max(peakUsed, used);
    peakLive = Math.max(peakLive, live);
  }

  /** Takes note of processor time that one of the benchmark's threads took. */
  static synchronized void cpuTime(long nanos) {
    cpuNanos += nanos;
  }

  /** Forgets everything, for a fresh allocator. */
  static synchronized void reset() {
    peakUsed = 0;
    peakLive = 0;
    cpuNanos = 0;
  }

  /** The highest use of memory so far, in bytes. */
  public static synchronized long peakUsed() {
    return peakUsed;
  }

  /** The most that was live so far, in bytes. */
  public static synchronized long peakLive() {
    return peakLive;
  }

  private static synchronized long takeCpuNanos() {
    long taken = cpuNanos;
    cpuNanos = 0;
    return taken;
  }

  @Override
  public String getDescription() {
    return "Memory of the allocator and of the JVM, garbage collections, processor time";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    takeCpuNanos();
    gcCount = collections(GarbageCollectorMXBean::getCollectionCount);
    gcMillis = collections(GarbageCollectorMXBean::getCollectionTime);
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double operations = Math.max(1, result.getMetadata().getAllOps());
    long count = collections(GarbageCollectorMXBean::getCollectionCount) - gcCount;
    long millis = collections(GarbageCollectorMXBean::getCollectionTime) - gcMillis;
    List<ScalarResult> results =
        new ArrayList<>(
            List.of(
                new ScalarResult(PEAK_USED, peakUsed(), "B", AggregationPolicy.MAX),
                new ScalarResult(PEAK_LIVE, peakLive(), "B", AggregationPolicy.MAX),
                new ScalarResult(
                    CPU_TIME, takeCpuNanos() / operations, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(GC_COUNT, count, "counts", AggregationPolicy.SUM),
                new ScalarResult(GC_TIME, millis, "ms", AggregationPolicy.SUM)));
    ResidentMemory.bytes()
        .ifPresent(
            bytes -> results.add(new ScalarResult(RESIDENT, bytes, "B", AggregationPolicy.MAX)));
    return results;
  }

  private static long collections(ToLongFunction<GarbageCollectorMXBean> figure) {
    return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(figure).sum();
  }
}
