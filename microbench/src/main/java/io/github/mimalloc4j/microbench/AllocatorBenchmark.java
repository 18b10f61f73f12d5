package io.github.mimalloc4j.microbench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What all benchmarks of one event-loop thread share: the JVM's options, the choice of the
 * allocator and the call of it.
 *
 * <p>The allocator is a field of the state, not a constant: an application finds it in its channel,
 * and a constant would let the compiler fold the allocator's own fields into the code. A fork makes
 * an allocator of one class only, so the calls are as monomorphic as in an application that has one
 * allocator.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 3,
    jvmArgsAppend = {
      ForkOptions.GC,
      ForkOptions.HEAP_MIN,
      ForkOptions.HEAP_MAX,
      ForkOptions.FOREGROUND_COMPILATION,
      ForkOptions.NO_LEAK_DETECTION,
      ForkOptions.EXECUTOR,
      ForkOptions.EXECUTOR_CLASS
    })
@SuppressWarnings("NullAway.Init") // JMH sets the parameters, a subclass's set-up calls the rest.
public abstract class AllocatorBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The allocator that is measured. */
  @Param({"MIMALLOC", "ADAPTIVE", "POOLED"})
  public AllocatorKind allocator;

  /** Where its buffers live. */
  @Param({"DIRECT", "HEAP"})
  public BufferKind kind;

  private ByteBufAllocator alloc;
  private boolean direct;
  private long cpuStart;

  /** For subclasses. */
  protected AllocatorBenchmark() {}

  /** Sends {@link #allocate} to a fresh allocator. */
  final void use(AllocatorKind fresh) {
    EventLoopExecutor.requireEventLoopThread();
    direct = kind == BufferKind.DIRECT;
    alloc = fresh.create();
    SideResults.reset();
  }

  final ByteBuf allocate(int size) {
    return direct ? alloc.directBuffer(size) : alloc.heapBuffer(size);
  }

  /** Bytes that are live now. */
  abstract long liveBytes();

  final void sampleMemory(long liveBytes) {
    SideResults.memory(allocator.usedBytes(alloc, kind), liveBytes);
  }

  /** Begins to count the processor time of this thread. */
  @Setup(Level.Iteration)
  public final void startIteration() {
    cpuStart = THREADS.getCurrentThreadCpuTime();
  }

  /** Takes note of an iteration's processor time, and of the memory. */
  @TearDown(Level.Iteration)
  public final void endIteration() {
    SideResults.iteration(THREADS.getCurrentThreadCpuTime() - cpuStart);
    sampleMemory(liveBytes());
  }

  /** The allocator in use. */
  final ByteBufAllocator measured() {
    return alloc;
  }
}
