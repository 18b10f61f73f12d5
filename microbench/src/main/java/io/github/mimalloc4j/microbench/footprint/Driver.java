package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * What phases work with: buffers that are counted, pacing, and real event loops. The driving thread
 * waits for the end of a loop's work, so that between two calls each loop is idle: alive, waiting
 * in its selector, with no task of ours.
 */
final class Driver implements AutoCloseable {
  /** The same on all machines, so that their figures can be compared. */
  static final int LOOPS = 4;

  /** The smallest unit in which systems make memory resident. */
  private static final int OS_PAGE = 4096;

  final FootprintPlan plan;
  private final ByteBufAllocator allocator;
  private final LongAdder liveBytes = new LongAdder();
  private final ExecutorService group = ThreadKind.NIO_EVENT_LOOP.newExecutor(LOOPS);
  private final List<EventExecutor> loops = new ArrayList<>();

  /** A step of a phase's work; they are counted from 1. */
  @FunctionalInterface
  interface Step {
    void run(int number) throws Exception;
  }

  Driver(FootprintPlan plan, ByteBufAllocator allocator) {
    this.plan = plan;
    this.allocator = allocator;
    ((EventExecutorGroup) group).forEach(loops::add);
  }

  /** A direct buffer that has been written to, as programs do: its memory is resident. */
  ByteBuf allocate(int size) {
    ByteBuf buffer = allocator.directBuffer(size);
    int capacity = buffer.capacity();
    liveBytes.add(capacity);
    for (int i = 0; i < capacity; i += OS_PAGE) {
      buffer.setByte(i, 1);
    }
    return buffer;
  }

  /** Releases a buffer that has no other holder. */
  void release(ByteBuf buffer) {
    liveBytes.add(-buffer.capacity());
    if (!buffer.release()) {
      throw new IllegalStateException("the buffer has another holder: " + buffer);
    }
  }

  /** The capacities of all live buffers; exact while no thread is at work. */
  long liveBytes() {
    return liveBytes.sum();
  }

  /** Runs work on all loops at the same time, which is told the loop's number from 0 up. */
  void onEachLoop(IntConsumer work) throws InterruptedException {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      int loop = i;
      running.add(loops.get(i).submit(() -> work.accept(loop)));
    }
    for (Future<?> future : running) {
      future.sync();
    }
  }

  Future<?> onFirstLoop(Runnable work) {
    return loops.get(0).submit(work);
  }

  void rest(double share) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(plan.part(share).toNanos());
  }

  /** Spreads as many steps as there is time for over a part of a phase. */
  void paced(double share, Step step) throws Exception {
    paced(plan.steps(share), share, step);
  }

  /**
   * Spreads work over a part of a phase, so that a chart shows it and all allocators take about
   * equally long for it. The work is a number of steps, not a time: slow allocators do as much as
   * fast ones, and end later if the time is too short.
   */
  void paced(int steps, double share, Step step) throws Exception {
    long start = System.nanoTime();
    long nanos = plan.part(share).toNanos();
    for (int i = 1; i <= steps; i++) {
      step.run(i);
      TimeUnit.NANOSECONDS.sleep(start + nanos / steps * i - System.nanoTime());
    }
  }

  @Override
  public void close() throws InterruptedException {
    ThreadKind.close(group);
  }
}
