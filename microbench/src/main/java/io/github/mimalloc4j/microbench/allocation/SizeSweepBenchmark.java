package io.github.mimalloc4j.microbench.allocation;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Touch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A buffer of each of many sizes is allocated and released at once, from one byte to 8 MiB: sizes
 * at which allocators change their way of working, and their neighbours.
 */
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SizeSweepBenchmark extends AllocatorBenchmark {
  @Param({
    "1", "8", "9", "16", "64", "65", "128", "256", "257", "512", "1024", "1025", "2048", "4096",
    "4097", "8192", "16384", "16709", "32768", "32769", "65536", "65537", "131072", "132096",
    "262144", "262145", "524288", "525312", "1048576", "1048577", "1468006", "2097152", "2097153",
    "4194304", "4194305", "8388608"
  })
  public int size;

  @Param("NONE")
  public Touch touch;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    // Few steps: some allocators take 100 µs and more for the largest.
    start(allocator, 1 << 10, this::allocateAndRelease);
  }

  @Benchmark
  public boolean allocateAndRelease() {
    var buffer = calls().allocate(size);
    touch.write(buffer, size);
    return BufferCalls.release(buffer);
  }

  @Override
  protected final long liveBytes() {
    return size; // at any time inside of an operation
  }
}
