package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.Lifetimes;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Queues;
import io.github.mimalloc4j.microbench.harness.Touch;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Threads that only allocate hand their buffers to threads that only release: one to one, three to
 * one, one to three.
 *
 * <p>Throughput counts both sides: a buffer that came and went is two operations. The queue between
 * them is bounded and the same for all allocators, so the slower side sets the pace.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HandOverBenchmark extends AllocatorBenchmark {
  private static final int STEPS = 1 << 16;
  private static final int STEP_MASK = STEPS - 1;

  /** What is between the two sides. */
  @State(Scope.Group)
  public static class HandOver {
    /** Enough for both sides to be without the processor for a while. */
    private static final int CAPACITY = 512;

    private final Queue<ByteBuf> queue = Queues.bounded(CAPACITY);
  }

  /**
   * What a consumer that holds buffers has on average: half of 1,000. A thread does not know its
   * side before it begins, so producers count as well.
   */
  private static final int HELD = 500;

  @Param("256")
  public String sizes;

  @Param("NONE")
  public Touch touch;

  /** Whether a consumer keeps each buffer until 1 to 1,000 others have come, as a broker does. */
  @Param("false")
  public boolean held;

  private int[] drawnSizes;
  private @Nullable Lifetimes lifetimes;
  private Queue<ByteBuf> queue;
  private int step;

  @Setup
  public void setUp(MeasuredAllocator allocator, HandOver handOver, ThreadParams thread) {
    SizePattern pattern = SizePattern.of(sizes);
    double shareOfQueue = (double) HandOver.CAPACITY / thread.getGroupThreadCount();
    allocator.requireRoom(pattern.mean() * (shareOfQueue + (held ? HELD : 0)));
    drawnSizes = pattern.draw(STEPS, 0x5EED_0021L);
    lifetimes = held ? new Lifetimes(SizePattern.load("broker.lifetimes"), 0x5EED_0022L) : null;
    queue = handOver.queue;
    // For pollution only: a consumer must not have memory of its own in the measured allocator.
    Runnable step =
        () -> BufferCalls.release(calls().allocate(drawnSizes[this.step++ & STEP_MASK]));
    start(allocator, 0, STEPS, step);
  }

  @Benchmark
  @Group("oneToOne")
  public void produceForOne(Control control) {
    produce(control);
  }

  @Benchmark
  @Group("oneToOne")
  public void consumeOfOne(Control control) {
    consume(control);
  }

  @Benchmark
  @Group("manyToOne")
  @GroupThreads(3)
  public void produceTogether(Control control) {
    produce(control);
  }

  @Benchmark
  @Group("manyToOne")
  public void consumeAlone(Control control) {
    consume(control);
  }

  @Benchmark
  @Group("oneToMany")
  public void produceAlone(Control control) {
    produce(control);
  }

  @Benchmark
  @Group("oneToMany")
  @GroupThreads(3)
  public void consumeTogether(Control control) {
    consume(control);
  }

  private void produce(Control control) {
    int size = drawnSizes[step++ & STEP_MASK];
    ByteBuf buffer = calls().allocate(size);
    touch.write(buffer, size);
    int waits = 0;
    while (!queue.offer(buffer)) {
      if (control.stopMeasurement) { // nobody may be there any more
        BufferCalls.release(buffer);
        return;
      }
      Queues.await(waits++);
    }
  }

  private void consume(Control control) {
    int waits = 0;
    ByteBuf buffer;
    while ((buffer = queue.poll()) == null) {
      if (control.stopMeasurement) {
        return;
      }
      Queues.await(waits++);
    }
    if (lifetimes == null) {
      BufferCalls.release(buffer);
    } else {
      lifetimes.hold(buffer);
    }
  }

  @Override
  protected final void end() {
    ByteBuf left;
    while ((left = queue.poll()) != null) {
      BufferCalls.release(left);
    }
    if (lifetimes != null) {
      lifetimes.releaseAll();
    }
  }

  @Override
  protected final long liveBytes() {
    return lifetimes == null ? 0 : lifetimes.liveBytes();
  }
}
