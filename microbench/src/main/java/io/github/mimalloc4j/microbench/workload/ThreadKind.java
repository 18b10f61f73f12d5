package io.github.mimalloc4j.microbench.workload;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The kinds of threads that programs allocate on. */
public enum ThreadKind {
  /** The thread of an event loop with channels. */
  NIO_EVENT_LOOP,
  /** The thread of an event executor without channels. */
  EVENT_EXECUTOR,
  /** A thread that Netty knows nothing of. */
  PLAIN,
  /** From JDK 21 on. */
  VIRTUAL;

  private static final int CLOSE_SECONDS = 30;
  private static final @Nullable ThreadFactory VIRTUAL_THREADS = findVirtualThreads();

  public static List<ThreadKind> available() {
    return Arrays.stream(values())
        .filter(kind -> kind != VIRTUAL || VIRTUAL_THREADS != null)
        .toList();
  }

  /** Whether an allocator can have upkeep done on such a thread while it is idle. */
  public boolean isEventLoop() {
    return this == NIO_EVENT_LOOP || this == EVENT_EXECUTOR;
  }

  /**
   * Makes threads of this kind; each is started by the first task that it gets. They do not keep
   * the JVM alive.
   */
  public ExecutorService newExecutor(int threads) {
    return switch (this) {
      case NIO_EVENT_LOOP ->
          new MultiThreadIoEventLoopGroup(threads, loopFactory(), NioIoHandler.newFactory());
      case EVENT_EXECUTOR -> new DefaultEventExecutorGroup(threads, loopFactory());
      case PLAIN -> Executors.newFixedThreadPool(threads, this::newPlainThread);
      case VIRTUAL -> Executors.newFixedThreadPool(threads, virtualThreads());
    };
  }

  /** This project is compiled for JDK 17, which has none. */
  private static @Nullable ThreadFactory findVirtualThreads() {
    if (Runtime.version().feature() < 21) {
      return null; // or with a preview option only
    }
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return (ThreadFactory)
          Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Makes virtual threads.
   *
   * @throws IllegalStateException if there are none
   */
  public static ThreadFactory virtualThreads() {
    if (VIRTUAL_THREADS == null) {
      throw new IllegalStateException(
          "virtual threads need JDK 21 or newer, and this is JDK " + Runtime.version().feature());
    }
    return VIRTUAL_THREADS;
  }

  private ThreadFactory loopFactory() {
    return new DefaultThreadFactory(toString(), true);
  }

  private Thread newPlainThread(Runnable task) {
    Thread thread = new Thread(task, toString());
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Ends an executor's threads after the tasks that they have, and waits for that.
   *
   * @return whether they have ended; false if a task takes too long
   */
  public static boolean close(ExecutorService executor) throws InterruptedException {
    if (executor instanceof EventExecutorGroup group) {
      group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    } else {
      executor.shutdown();
    }
    return executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  /** Runs each task on a new thread, all at the same time, and waits until these have ended. */
  public void runAll(List<? extends Runnable> tasks)
      throws InterruptedException, ExecutionException {
    ExecutorService executor = newExecutor(tasks.size());
    List<Future<?>> results = tasks.stream().<Future<?>>map(executor::submit).toList();
    if (!close(executor)) {
      throw new IllegalStateException("threads have not ended");
    }
    for (Future<?> result : results) {
      result.get();
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
