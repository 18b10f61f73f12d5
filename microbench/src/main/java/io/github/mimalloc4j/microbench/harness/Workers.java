package io.github.mimalloc4j.microbench.harness;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Threads that a benchmark starts and that end again. */
public enum Workers {
  /** Threads of Netty's event executors, one executor a thread. */
  EVENT_LOOP {
    @Override
    public void runAll(List<? extends Runnable> tasks) {
      List<EventExecutor> executors = new ArrayList<>();
      List<Future<?>> results = new ArrayList<>();
      for (Runnable task : tasks) {
        EventExecutor executor = new DefaultEventExecutor(FACTORY);
        executors.add(executor);
        results.add(executor.submit(timed(task)));
        // What was submitted before is run.
        results.add(executor.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS));
      }
      executors.forEach(executor -> executor.terminationFuture().syncUninterruptibly());
      results.forEach(Future::syncUninterruptibly); // throws what a task threw
    }
  },

  /** Threads that Netty knows nothing of. */
  PLAIN {
    @Override
    public void runAll(List<? extends Runnable> tasks) {
      List<FutureTask<?>> results = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (Runnable task : tasks) {
        FutureTask<?> result = new FutureTask<>(timed(task), null);
        results.add(result);
        threads.add(new Thread(result, "benchmark-plain"));
      }
      threads.forEach(Thread::start);
      try {
        for (Thread thread : threads) {
          thread.join();
        }
        for (FutureTask<?> result : results) {
          result.get();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while threads are at work", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a thread failed", e.getCause());
      }
    }
  };

  private static final DefaultThreadFactory FACTORY =
      new DefaultThreadFactory("benchmark-event-loop", true);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Runs each task on a new thread, all at the same time, and waits until the threads have ended.
   */
  public abstract void runAll(List<? extends Runnable> tasks);

  private static Runnable timed(Runnable task) {
    return () -> {
      long start = THREADS.getCurrentThreadCpuTime();
      task.run();
      SideResultsProfiler.cpuTime(THREADS.getCurrentThreadCpuTime() - start);
    };
  }
}
