package io.github.mimalloc4j.microbench.access;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** The reference count: another reference is taken and given back, by one thread or by several. */
public class RetainReleaseBenchmark extends AllocatorBenchmark {
  private static final int SIZE = 1024;
  private static final int SLICE = 64;

  /** One buffer for all threads. */
  @State(Scope.Benchmark)
  public static class Shared {
    private MeasuredAllocator allocator;
    private ByteBuf buffer;

    @Setup
    public void allocate(MeasuredAllocator measured) {
      allocator = measured;
      allocator.attach();
      buffer = allocator.calls().allocate(SIZE);
    }

    @TearDown
    public void release() {
      BufferCalls.releaseLast(buffer);
      allocator.detach();
    }
  }

  private ByteBuf buffer;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    Runnable step =
        () -> {
          alone();
          retainedSlice();
        };
    start(allocator, 1, 1 << 16, step);
  }

  /** A buffer that no other thread knows. */
  @Benchmark
  public boolean alone() {
    return BufferCalls.release(buffer.retain());
  }

  /** A buffer that two threads retain and release at the same time. */
  @Benchmark
  @Threads(2)
  public boolean contended(Shared shared) {
    return BufferCalls.release(shared.buffer.retain());
  }

  /** A slice with a reference of its own, as decoders make them. */
  @Benchmark
  public boolean retainedSlice() {
    return BufferCalls.release(buffer.retainedSlice(SLICE, SLICE));
  }

  @Override
  protected final void begin() {
    buffer = calls().allocate(SIZE);
    buffers = new ByteBuf[] {buffer};
  }
}
