package io.github.mimalloc4j.microbench;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports beside JMH's timings the peak of the allocator's memory, the peak of live bytes and the
 * processor time of an operation: {@code -prof
 * io.github.mimalloc4j.microbench.SideResultsProfiler}. For benchmarks of one thread.
 */
public final class SideResultsProfiler implements InternalProfiler {
  static final String PEAK_USED = "used.peak";
  static final String PEAK_LIVE = "live.peak";
  static final String CPU_TIME = "cpu.time";

  /** Made by JMH. */
  public SideResultsProfiler() {}

  @Override
  public String getDescription() {
    return "Peak of the measured allocator's memory; processor time of an operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(
        new ScalarResult(PEAK_USED, SideResults.peakUsed(), "B", AggregationPolicy.MAX),
        new ScalarResult(PEAK_LIVE, SideResults.peakLive(), "B", AggregationPolicy.MAX),
        new ScalarResult(
            CPU_TIME, SideResults.cpuNanos() / operations, "ns/op", AggregationPolicy.AVG));
  }
}
