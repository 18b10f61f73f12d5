package io.github.mimalloc4j.microbench;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A buffer is allocated and released at once, with nothing else live: the shortest way through an
 * allocator.
 */
public class AllocateReleaseBenchmark extends AllocatorBenchmark {
  /** Bytes of a buffer: a small one, and about a TLS record. */
  @Param({"256", "16639"})
  public int size;

  /** Made by JMH. */
  public AllocateReleaseBenchmark() {}

  /** Brings the allocator to its steady state. */
  @Setup
  public void setUp(MeasuredAllocator allocator) {
    start(allocator);
  }

  /** Checks that nothing is left. */
  @TearDown
  public void tearDown() {
    finish();
  }

  /** Allocates a buffer and releases it. */
  @Benchmark
  public boolean allocateAndRelease() {
    return BufferCalls.release(calls().allocate(size));
  }

  @Override
  final void step() {
    allocateAndRelease();
  }

  @Override
  final long liveBytes() {
    return size; // at any time inside of an operation
  }
}
