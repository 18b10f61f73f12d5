package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.VirtualThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The kinds of threads that a Netty program has. */
enum ThreadKind {
  /** Netty's event loops. */
  EVENT_LOOP {
    @Override
    void run(int threads, Runnable task) throws Exception {
      try (Loops loops = new Loops(threads)) {
        loops.onEach(loop -> task.run());
      }
    }
  },

  /** Plain threads of the platform. */
  PLATFORM {
    @Override
    void run(int threads, Runnable task) throws Exception {
      runAndEnd(Executors.newFixedThreadPool(threads), threads, task);
    }
  },

  /** Virtual threads, where the JDK has them. */
  VIRTUAL {
    @Override
    void run(int threads, Runnable task) throws Exception {
      runAndEnd(newVirtualThreads(), threads, task);
    }
  };

  /** The kinds that this JDK has. */
  static List<ThreadKind> available() {
    return Arrays.stream(values())
        .filter(kind -> kind != VIRTUAL || VirtualThreads.areThere())
        .toList();
  }

  /** Starts threads, has each run the task once, and returns when all of them end. */
  abstract void run(int threads, Runnable task) throws Exception;

  private static void runAndEnd(ExecutorService executor, int threads, Runnable task)
      throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(executor.submit(task));
    }
    executor.shutdown();
    for (Future<?> future : running) {
      future.get();
    }
    // Forever: the tasks are done, so there is nothing that could hold a thread back.
    executor.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
  }

  /** By reflection, for JDK 17 does not know them. */
  private static ExecutorService newVirtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }
}
