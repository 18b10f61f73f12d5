package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Queues;
import io.netty.buffer.ByteBuf;
import java.util.Queue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Tiny buffers that lie side by side are handed to different threads, which release them, take tiny
 * ones of their own and write to those many times: after cache-scratch of mimalloc-bench, which
 * stems from the Hoard allocator's (Berger and others, 2000).
 *
 * <p>An allocator that gives a thread the bytes that another one's buffer shares a cache line with
 * makes both threads slow, long after the allocation. An operation is one write; with one thread
 * ({@code -t 1}) it takes as long as without any sharing.
 */
@Threads(2)
public class TinyBufferBenchmark extends AllocatorBenchmark {
  private static final int SIZE = 8;
  private static final int WRITES = 1000;

  /** The buffers that one thread allocates for all of them. */
  @State(Scope.Benchmark)
  public static class Handed {
    private Queue<ByteBuf> buffers;

    @Setup
    public void allocate(MeasuredAllocator allocator, BenchmarkParams benchmark) {
      buffers = Queues.bounded(2 * benchmark.getThreads());
      for (int i = 0; i < benchmark.getThreads(); i++) {
        buffers.add(allocator.calls().allocate(SIZE));
      }
    }
  }

  private ByteBuf handed;
  private ByteBuf buffer;

  @Setup
  public void setUp(MeasuredAllocator allocator, Handed all) {
    handed = all.buffers.remove();
    start(allocator, 1 << 10, this::replaceAndWrite);
  }

  @Benchmark
  @OperationsPerInvocation(WRITES)
  public ByteBuf replaceAndWrite() {
    BufferCalls.release(buffer);
    ByteBuf mine = calls().allocate(SIZE);
    buffer = mine;
    for (int i = 0; i < WRITES; i++) {
      int index = i & (SIZE - 1);
      mine.setByte(index, mine.getByte(index) + 1);
    }
    return mine;
  }

  @Override
  protected final void begin() {
    buffer = isPolluting() ? calls().allocate(SIZE) : handed;
  }

  @Override
  protected final void end() {
    BufferCalls.releaseLast(buffer);
  }

  @Override
  protected final long liveBytes() {
    return SIZE;
  }
}
