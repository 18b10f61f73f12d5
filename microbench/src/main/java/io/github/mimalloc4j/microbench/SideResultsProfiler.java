package io.github.mimalloc4j.microbench;

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
 */
public final class SideResultsProfiler implements InternalProfiler {
  static final String PEAK_USED = "used.peak";
  static final String PEAK_LIVE = "live.peak";
  static final String RESIDENT = "resident";
  static final String CPU_TIME = "cpu.time";
  static final String GC_COUNT = "collections";
  static final String GC_TIME = "collections.time";

  private long gcCount;
  private long gcMillis;

  /** Made by JMH. */
  public SideResultsProfiler() {}

  @Override
  public String getDescription() {
    return "Memory of the allocator and of the JVM, garbage collections, processor time";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    SideResults.startIteration();
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
                new ScalarResult(PEAK_USED, SideResults.peakUsed(), "B", AggregationPolicy.MAX),
                new ScalarResult(PEAK_LIVE, SideResults.peakLive(), "B", AggregationPolicy.MAX),
                new ScalarResult(
                    CPU_TIME, SideResults.cpuNanos() / operations, "ns/op", AggregationPolicy.AVG),
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
