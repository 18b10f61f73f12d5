package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.netty.buffer.ByteBuf;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What all benchmarks of allocators share: the same JVM's options and times, threads of an event
 * executor, and the way from nothing to a steady state and back, which makes the knobs of {@link
 * MeasuredAllocator} work for all of them.
 *
 * <p>Each thread has an instance of its own; the allocator is one for all.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 3,
    jvmArgsPrepend = {
      ForkOptions.GC,
      ForkOptions.HEAP_MIN,
      ForkOptions.HEAP_MAX,
      ForkOptions.HEAP_TOUCHED,
      ForkOptions.FOREGROUND_COMPILATION,
      ForkOptions.NO_LEAK_DETECTION,
      ForkOptions.EXECUTOR,
      ForkOptions.EXECUTOR_CLASS
    })
public abstract class AllocatorBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SAMPLES = 1 << 6;

  /** What is live between operations, unless a subclass says otherwise. */
  protected ByteBuf[] buffers = {};

  private MeasuredAllocator measured;
  private BufferCalls calls;
  private long reportedLiveBytes;
  private long cpuStart;

  /** Starts with the same number of steps for both purposes. */
  protected final void start(MeasuredAllocator allocator, int steps, Runnable step) {
    start(allocator, steps, steps, step);
  }

  /**
   * Brings the calling thread to its steady state, at the end of the set-up.
   *
   * @param steadySteps how many steps bring the allocator to its steady state; this is also a
   *     warm-up that does not get shorter when the machine is busy
   * @param pollutingSteps how many steps make the compiler take another allocator for as likely as
   *     the measured one
   * @param step does what the benchmark measures, once
   */
  protected final void start(
      MeasuredAllocator allocator, int steadySteps, int pollutingSteps, Runnable step) {
    requireThread();
    measured = allocator;
    if (measured.polluted) {
      calls = measured.otherCalls();
      begin();
      for (int i = 0; i < pollutingSteps; i++) {
        step.run();
      }
      end();
    }
    calls = measured.calls();
    measured.attach();
    begin();
    settle(steadySteps, step);
    if (measured.aged) {
      if (steadySteps == 0) {
        throw new IllegalArgumentException("aged has no effect here: nothing is live before");
      }
      System.gc(); // a full collection promotes whatever survives it
    }
  }

  /** Draws the slots, as many as are live, that steps are about. */
  protected static char[] drawSlots(int steps, int live, long seed) {
    if (live < 1 || live > 1 << 16) {
      throw new IllegalArgumentException("live must be from 1 to 65536, not " + live);
    }
    char[] slots = new char[steps];
    Random random = new Random(seed);
    for (int i = 0; i < steps; i++) {
      slots[i] = (char) random.nextInt(live);
    }
    return slots;
  }

  @TearDown
  public final void tearDown() {
    end();
    measured.detach();
  }

  /** Checks that this is a thread of the kind that the benchmark is about. */
  protected void requireThread() {
    EventLoopExecutor.requireEventLoopThread();
  }

  protected void begin() {}

  protected void end() {
    BufferCalls.releaseAll(buffers);
  }

  /** Bytes that this thread keeps alive between operations, or throughout each. */
  protected long liveBytes() {
    return BufferCalls.bytes(buffers);
  }

  /** Goes on until the state is steady, watching the memory. */
  protected void settle(int steps, Runnable step) {
    int stride = Math.max(1, steps / SAMPLES);
    for (int i = 0; i < steps; i++) {
      step.run();
      if (i % stride == 0) {
        sampleMemory(liveBytes());
      }
    }
  }

  protected final void sampleMemory(long liveBytes) {
    measured.sample(liveBytes - reportedLiveBytes);
    reportedLiveBytes = liveBytes;
  }

  protected final BufferCalls calls() {
    return calls;
  }

  /** Whether another allocator takes the place of the measured one for now. */
  protected final boolean isPolluting() {
    return calls != measured.calls();
  }

  @Setup(Level.Iteration)
  public final void startIteration() {
    cpuStart = THREADS.getCurrentThreadCpuTime();
  }

  @TearDown(Level.Iteration)
  public final void endIteration() {
    SideResultsProfiler.cpuTime(THREADS.getCurrentThreadCpuTime() - cpuStart);
    sampleMemory(liveBytes());
  }
}
