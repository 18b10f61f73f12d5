package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogger;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs the upkeep of everything that no event loop owns, for all allocators, on a thread that
 * exists only while something is due: it ends a second after its last task.
 *
 * <p>Netty's {@code GlobalEventExecutor} is not suitable: its thread is not a daemon, and a task on
 * it would keep a JVM with nothing else to do from ending.
 *
 * <p>The thread inherits nothing from the thread that starts it: no class loader, no thread-locals,
 * no thread group and no priority.
 */
public final class UpkeepThread {

  public static final String NAME = "mimalloc4j-upkeep";

  private static final InternalLogger logger = AllocatorLogger.get();

  private static final long IDLE_SECONDS = 1;

  private static final ScheduledThreadPoolExecutor EXECUTOR = newExecutor(UpkeepThread::newThread);

  private UpkeepThread() {}

  /**
   * Returns the executor as an object. An early call initializes this class before memory runs out.
   */
  static UpkeepExecutor executor() {
    return UpkeepThread::execute;
  }

  /** Runs a task after a delay: see {@link UpkeepExecutor}. */
  public static void execute(Runnable task, long delayMillis) {
    execute(EXECUTOR, task, delayMillis);
  }

  static void execute(ScheduledThreadPoolExecutor executor, Runnable task, long delayMillis) {
    // First: if no thread can be started, this throws, and schedule() would leave the task queued.
    boolean unusedStarted = executor.prestartCoreThread();
    Future<?> unused = executor.schedule(new Logged(task), delayMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Runs an upkeep task and logs what it throws. The task should throw nothing, but a bug must not
   * go unnoticed. If the Java heap is exhausted, memory may stay until the task runs again. This
   * method throws nothing.
   */
  static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      try {
        logger.warn("Unused memory may not have been given back yet.", e);
      } catch (Throwable ofTheLog) { // thrown by an appender, or no Java heap: upkeep goes on
      }
    }
  }

  static ScheduledThreadPoolExecutor newExecutor(ThreadFactory threads) {
    ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, threads);
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  @SuppressWarnings("removal") // before JDK 24, a thread keeps its starter's access control context
  private static Thread newThread(Runnable work) {
    return AccessController.doPrivileged(new NewThread(work));
  }

  private static final class NewThread implements PrivilegedAction<Thread> {

    private final Runnable work;

    NewThread(Runnable work) {
      this.work = work;
    }

    @Override
    public Thread run() {
      boolean inheritThreadLocals = false;
      Thread thread = new Thread(topGroup(), work, NAME, 0, inheritThreadLocals);
      thread.setDaemon(true);
      // Never unloaded, and not null: the JDK may look there for an MBeanServerBuilder.
      thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
      thread.setPriority(Thread.NORM_PRIORITY);
      return thread;
    }

    private static ThreadGroup topGroup() {
      ThreadGroup group = Thread.currentThread().getThreadGroup();
      while (group.getParent() != null) {
        group = group.getParent();
      }
      return group;
    }
  }

  private static final class Logged implements Runnable {

    private final Runnable task;

    Logged(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      runLogged(task);
    }
  }
}
