package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.util.concurrent.FastThreadLocal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.ExecutionException;

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

  /** Does what {@link ThreadKind#runAll} does, and takes note of the threads' processor time. */
  public void runAll(List<? extends Runnable> tasks) {
    try {
      kind.runAll(tasks.stream().map(this::timed).toList());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while threads are at work", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a thread failed", e.getCause());
    }
  }

  /** Makes a task that takes note of all that its thread, a new one, has done until then. */
  private Runnable timed(Runnable task) {
    return () -> {
      task.run();
      if (this == EVENT_LOOP) {
        FastThreadLocal.removeAll(); // as Netty would when nobody can read the time any more
      }
      SideResultsProfiler.cpuTime(THREADS.getCurrentThreadCpuTime());
    };
  }
}
