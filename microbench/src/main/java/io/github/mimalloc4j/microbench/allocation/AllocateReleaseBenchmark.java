package io.github.mimalloc4j.microbench.allocation;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A buffer is allocated and released at once, with nothing else live: the shortest way through an
 * allocator.
 */
public class AllocateReleaseBenchmark extends AllocatorBenchmark {
  /** Bytes of a buffer: a small one, and about a TLS record. */
  @Param({"256", "16639"})
  public int size;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    start(allocator, 1 << 16, this::allocateAndRelease);
  }

  @Benchmark
  public boolean allocateAndRelease() {
    return BufferCalls.release(calls().allocate(size));
  }

  @Override
  protected final long liveBytes() {
    return size; // at any time inside of an operation
  }
}
