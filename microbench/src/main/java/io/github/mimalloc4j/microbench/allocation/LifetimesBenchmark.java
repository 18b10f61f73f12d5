package io.github.mimalloc4j.microbench.allocation;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.Lifetimes;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Touch;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Sizes with a heavy tail, lifetimes as requests have them, and a payload that is written: most
 * buffers are released soon, in about the reverse order, while a few stay and keep their
 * surroundings from being empty.
 *
 * <p>An operation is one allocation and, on average, one release.
 */
public class LifetimesBenchmark extends AllocatorBenchmark {
  private static final int STEPS = 1 << 16;
  private static final int STEP_MASK = STEPS - 1;

  @Param("PARETO")
  public String sizes;

  @Param("ALL")
  public Touch touch;

  private int[] drawnSizes;
  private Lifetimes lifetimes;
  private int step;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    drawnSizes = SizePattern.of(sizes).draw(STEPS, 0x5EED_0011L);
    lifetimes = new Lifetimes(SizePattern.load("request.lifetimes"), 0x5EED_0012L);
    start(allocator, 2 * STEPS, this::allocateAndReleaseDue); // the longest live nearly one round
  }

  @Benchmark
  public ByteBuf allocateAndReleaseDue() {
    int size = drawnSizes[step++ & STEP_MASK];
    ByteBuf buffer = calls().allocate(size);
    touch.write(buffer, size);
    lifetimes.hold(buffer);
    return buffer;
  }

  @Override
  protected final void end() {
    lifetimes.releaseAll();
  }

  @Override
  protected final long liveBytes() {
    return lifetimes.liveBytes();
  }
}
