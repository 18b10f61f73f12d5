package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.IntConsumer;

/**
 * Real event loops for the driving thread to give work to. It waits for the work's end, so that
 * between two calls each loop is idle: alive, waiting in its selector, with no task of ours.
 */
final class Loops implements AutoCloseable {
  /** The same on all machines, so that their figures can be compared. */
  static final int COUNT = 4;

  private final ExecutorService group = ThreadKind.NIO_EVENT_LOOP.newExecutor(COUNT);
  private final List<EventExecutor> executors = new ArrayList<>();

  Loops() {
    ((EventExecutorGroup) group).forEach(executors::add);
  }

  /** Runs work on all loops at the same time, which is told the loop's number from 0 up. */
  void onEach(IntConsumer work) throws InterruptedException {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < executors.size(); i++) {
      int loop = i;
      running.add(executors.get(i).submit(() -> work.accept(loop)));
    }
    for (Future<?> future : running) {
      future.sync();
    }
  }

  /** Starts work on the first loop. */
  Future<?> onFirst(Runnable work) {
    return executors.get(0).submit(work);
  }

  /** Ends the threads and waits for it. */
  @Override
  public void close() throws InterruptedException {
    ThreadKind.close(group);
  }
}
