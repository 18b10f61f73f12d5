package io.github.mimalloc4j.microbench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.FastThreadLocal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;

@Timeout(60)
class WorkersTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long WORK = TimeUnit.MILLISECONDS.toNanos(20);

  @Test
  void processorTimeIncludesWhatAnAllocatorDoesWhenAThreadEnds() {
    FastThreadLocal<Boolean> heap =
        new FastThreadLocal<>() {
          @Override
          protected void onRemoval(Boolean value) {
            long end = THREADS.getCurrentThreadCpuTime() + WORK;
            while (THREADS.getCurrentThreadCpuTime() < end) {
              Thread.onSpinWait();
            }
          }
        };
    SideResultsProfiler profiler = new SideResultsProfiler();
    profiler.beforeIteration(null, null);

    Workers.EVENT_LOOP.runAll(List.of(() -> heap.set(true), () -> heap.set(true)));

    IterationResult result = new IterationResult(null, null, new IterationResultMetaData(1, 1));
    assertThat(profiler.afterIteration(null, null, result))
        .filteredOn(each -> each.getLabel().equals(SideResultsProfiler.CPU_TIME))
        .singleElement()
        .satisfies(cpu -> assertThat(cpu.getScore()).isGreaterThanOrEqualTo(2.0 * WORK));
  }
}
