package io.github.mimalloc4j.microbench.harness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What all benchmarks of allocators share: the way from nothing to a steady state and back, which
 * makes the knobs of {@link MeasuredAllocator} work for all of them.
 *
 * <p>Each thread has an instance of its own; the allocator is one for all.
 */
@SuppressWarnings("NullAway.Init") // a subclass's set-up calls start()
public abstract class AllocatorBenchmark extends EventLoopBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final int SAMPLES = 1 << 6;

  private MeasuredAllocator measured;
  private BufferCalls calls;
  private long reportedLiveBytes;
  private long cpuStart;

  /** Brings the calling thread to its steady state. To be called at the end of the set-up. */
  protected final void start(MeasuredAllocator allocator) {
    requireThread();
    measured = allocator;
    if (measured.polluted) {
      calls = measured.otherCalls();
      begin();
      for (int i = 0; i < pollutingSteps(); i++) {
        step();
      }
      end();
    }
    calls = measured.calls();
    measured.attach();
    begin();
    settle();
    if (measured.aged) {
      System.gc(); // a full collection promotes whatever survives it
    }
  }

  /** Gives everything back. */
  @TearDown
  public final void tearDown() {
    end();
    measured.detach();
  }

  /**
   * Checks that this is a thread of the kind that the benchmark is about.
   *
   * @throws IllegalStateException if it is not
   */
  protected void requireThread() {
    EventLoopExecutor.requireEventLoopThread();
  }

  /** Allocates what is live from the beginning. */
  protected void begin() {}

  /** Does what the benchmark measures, once. */
  protected abstract void step();

  /** Releases everything that is live. */
  protected void end() {}

  /**
   * How many steps bring the allocator to its steady state. This is also a warm-up that does not
   * get shorter when the machine is busy.
   */
  protected int steadySteps() {
    return 1 << 16;
  }

  /** How many steps make the compiler take another allocator for as likely as the measured one. */
  protected int pollutingSteps() {
    return steadySteps();
  }

  /** Bytes that this thread keeps alive between operations, or throughout each. */
  protected long liveBytes() {
    return 0;
  }

  /** Goes on until the state is steady, watching the memory. */
  protected void settle() {
    int stride = Math.max(1, steadySteps() / SAMPLES);
    for (int i = 0; i < steadySteps(); i++) {
      step();
      if (i % stride == 0) {
        sampleMemory(liveBytes());
      }
    }
  }

  protected final void sampleMemory(long liveBytes) {
    measured.sample(liveBytes - reportedLiveBytes);
    reportedLiveBytes = liveBytes;
  }

  /** The way to the allocator. */
  protected final BufferCalls calls() {
    return calls;
  }

  /** Whether another allocator takes the place of the measured one for now. */
  protected final boolean isPolluting() {
    return calls != measured.calls();
  }

  /** Begins to count the processor time of this thread. */
  @Setup(Level.Iteration)
  public final void startIteration() {
    cpuStart = THREADS.getCurrentThreadCpuTime();
  }

  /** Takes note of an iteration's processor time, and of the memory. */
  @TearDown(Level.Iteration)
  public final void endIteration() {
    SideResultsProfiler.cpuTime(THREADS.getCurrentThreadCpuTime() - cpuStart);
    sampleMemory(liveBytes());
  }
}
