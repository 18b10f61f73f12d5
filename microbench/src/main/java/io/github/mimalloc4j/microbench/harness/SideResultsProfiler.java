package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports memory beside JMH's timings: {@code -prof
 * io.github.mimalloc4j.microbench.harness.SideResultsProfiler}.
 *
 * <ul>
 *   <li>{@value #PEAK_USED}: bytes that the allocator held at most, since the fork began, if it
 *       tells
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

  private static final long UNKNOWN = -1;
  private static final LongAccumulator USED = new LongAccumulator(Math::max, UNKNOWN);
  private static final LongAccumulator LIVE = new LongAccumulator(Math::max, 0);
  private static final LongAdder CPU_NANOS = new LongAdder();

  private long gcCount;
  private long gcMillis;

  /**
   * Takes a sample of the bytes that the allocator holds, null if it does not tell, and of those
   * that are asked for.
   */
  static void memory(@Nullable Long used, long live) {
    USED.accumulate(used == null ? UNKNOWN : used);
    LIVE.accumulate(live);
  }

  /** Takes note of processor time that one of the benchmark's threads took. */
  static void cpuTime(long nanos) {
    CPU_NANOS.add(nanos);
  }

  static void reset() {
    USED.reset();
    LIVE.reset();
    CPU_NANOS.reset();
  }

  static long peakUsed() {
    return USED.get();
  }

  static long peakLive() {
    return LIVE.get();
  }

  @Override
  public String getDescription() {
    return "Memory of the allocator and of the JVM, garbage collections, processor time";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    CPU_NANOS.reset();
    gcCount = collections(GarbageCollectorMXBean::getCollectionCount);
    gcMillis = collections(GarbageCollectorMXBean::getCollectionTime);
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double operations = Math.max(1, result.getMetadata().getAllOps());
    long count = collections(GarbageCollectorMXBean::getCollectionCount) - gcCount;
    long millis = collections(GarbageCollectorMXBean::getCollectionTime) - gcMillis;
    double cpu = CPU_NANOS.sumThenReset() / operations;
    List<ScalarResult> results = new ArrayList<>();
    if (peakUsed() != UNKNOWN) {
      results.add(new ScalarResult(PEAK_USED, peakUsed(), "B", AggregationPolicy.MAX));
    }
    results.add(new ScalarResult(PEAK_LIVE, peakLive(), "B", AggregationPolicy.MAX));
    results.add(new ScalarResult(CPU_TIME, cpu, "ns/op", AggregationPolicy.AVG));
    results.add(new ScalarResult(GC_COUNT, count, "counts", AggregationPolicy.SUM));
    results.add(new ScalarResult(GC_TIME, millis, "ms", AggregationPolicy.SUM));
    for (long bytes : ResidentMemory.bytes().stream().toArray()) {
      results.add(new ScalarResult(RESIDENT, bytes, "B", AggregationPolicy.MAX));
    }
    return results;
  }

  private static long collections(ToLongFunction<GarbageCollectorMXBean> figure) {
    return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(figure).sum();
  }
}
