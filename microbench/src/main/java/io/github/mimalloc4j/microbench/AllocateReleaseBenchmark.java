package io.github.mimalloc4j.microbench;

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

  /** Made by JMH. */
  public AllocateReleaseBenchmark() {}

  /** Makes the allocator. */
  @Setup
  public void setUp() {
    use(allocator);
  }

  /** Allocates a buffer and releases it. */
  @Benchmark
  public boolean allocateAndRelease() {
    return allocate(size).release();
  }

  @Override
  long liveBytes() {
    return size; // at any time inside of an operation
  }
}
