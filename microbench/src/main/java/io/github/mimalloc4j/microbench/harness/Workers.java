package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Threads that a benchmark starts and that end again. */
public enum Workers {
  /** Threads of Netty's event executors, one executor a thread. */
  EVENT_LOOP(ThreadKind.EVENT_EXECUTOR),
  /** Threads that Netty knows nothing of. */
  PLAIN(ThreadKind.PLAIN);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final ThreadKind kind;

  Workers(ThreadKind kind) {
    this.kind = kind;
  }

  /**
   * Runs each task on a new thread, all at the same time, and waits until the threads have ended.
   */
  public void runAll(List<? extends Runnable> tasks) {
    ExecutorService executor = kind.newExecutor(tasks.size());
    List<Future<?>> results =
        tasks.stream().<Future<?>>map(t -> executor.submit(timed(t))).toList();
    try {
      if (!ThreadKind.close(executor)) {
        throw new IllegalStateException("threads have not ended");
      }
      for (Future<?> result : results) {
        result.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while threads are at work", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a thread failed", e.getCause());
    }
  }

  private static Runnable timed(Runnable task) {
    return () -> {
      long start = THREADS.getCurrentThreadCpuTime();
      task.run();
      SideResultsProfiler.cpuTime(THREADS.getCurrentThreadCpuTime() - start);
    };
  }
}
