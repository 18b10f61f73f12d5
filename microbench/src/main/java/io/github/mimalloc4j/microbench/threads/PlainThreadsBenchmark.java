package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.allocation.AllocateReleaseBenchmark;
import io.github.mimalloc4j.microbench.allocation.AllocationPatternBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.EventLoopExecutor;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Threads;

/**
 * The work of {@link AllocationPatternBenchmark} and of {@link AllocateReleaseBenchmark} on threads
 * that are no event loops: those of an application's own pools. Two of them; {@code -t 16} for 16.
 * Both keep the buffers of the pattern live; {@code -p live=1} leaves the second with one.
 */
@Threads(2)
@Fork(
    value = 3,
    jvmArgsPrepend = {
      ForkOptions.GC,
      ForkOptions.HEAP_MIN,
      ForkOptions.HEAP_MAX,
      ForkOptions.HEAP_TOUCHED,
      ForkOptions.FOREGROUND_COMPILATION,
      ForkOptions.NO_LEAK_DETECTION
    })
public class PlainThreadsBenchmark extends AllocationPatternBenchmark {
  private static final int SIZE = 256;

  /** Allocates a small buffer and releases it, with the buffers of the pattern live beside it. */
  @Benchmark
  public boolean allocateAndRelease() {
    return BufferCalls.release(calls().allocate(SIZE));
  }

  @Override
  protected final void requireThread() {
    EventLoopExecutor.requirePlainThread();
  }
}
