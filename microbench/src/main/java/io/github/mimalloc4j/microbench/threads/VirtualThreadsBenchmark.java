package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * 1,000 virtual threads at once, each new: they allocate four buffers, wait until all have done so,
 * and release them. For JDK 21 and newer.
 *
 * <p>An operation is one buffer; starting and parking the thread is part of it, and {@link #park}
 * tells how large a part.
 */
public class VirtualThreadsBenchmark extends AllocatorBenchmark {
  private static final int THREADS = 1000;
  private static final int BUFFERS = 4;
  private static final int OPERATIONS = THREADS * BUFFERS;

  @Param("WEBSOCKET_PROXY")
  public String sizes;

  private int[] drawnSizes;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    ThreadKind.virtualThreads(); // says so where there are none
    if (allocator.source() == AllocatorSource.BARE) {
      throw new IllegalArgumentException(
          "BARE keeps buffers for each thread, and here each thread is new: it is no floor");
    }
    drawnSizes = SizePattern.of(sizes).draw(OPERATIONS, 0x5EED_0071L);
    start(allocator, 20, this::allocateParkRelease);
  }

  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void allocateParkRelease() {
    run(true);
  }

  /** Each thread parks: what the harness takes by itself. */
  @Benchmark
  @OperationsPerInvocation(OPERATIONS)
  public void park() {
    run(false);
  }

  private void run(boolean allocate) {
    BufferCalls calls = calls();
    CountDownLatch parked = new CountDownLatch(THREADS);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(THREADS);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i * BUFFERS;
      Runnable task =
          () -> {
            ByteBuf[] buffers = new ByteBuf[BUFFERS];
            try {
              for (int k = 0; allocate && k < BUFFERS; k++) {
                buffers[k] = calls.allocate(drawnSizes[first + k]);
              }
              parked.countDown();
              go.await();
              for (int k = 0; allocate && k < BUFFERS; k++) {
                BufferCalls.release(buffers[k]);
              }
            } catch (Throwable e) {
              failure.compareAndSet(null, e);
              parked.countDown(); // once too often does no harm
            } finally {
              done.countDown();
            }
          };
      ThreadKind.virtualThreads().newThread(task).start();
    }
    try {
      parked.await();
      go.countDown();
      done.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while virtual threads are at work", e);
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("a virtual thread failed", thrown);
    }
  }

  /** Any thread will do: this one only starts others. */
  @Override
  protected final void requireThread() {}
}
