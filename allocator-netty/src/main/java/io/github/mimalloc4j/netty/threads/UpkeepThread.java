package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogger;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the upkeep of what no event loop owns, for all allocators, on a thread that is there only
 * while something is due: it ends a second after its last task.
 *
 * <p>Not Netty's {@code GlobalEventExecutor}: its thread is no daemon, and a task on it would keep
 * a JVM that has nothing else to do from ending.
 *
 * <p>The thread keeps nothing of who happens to start it: neither class loader nor thread-locals
 * nor thread group.
 */
public final class UpkeepThread {

  public static final String NAME = "mimalloc4j-upkeep";

  private static final InternalLogger logger = AllocatorLogger.get();

  private static final long IDLE_SECONDS = 1;

  private static final ScheduledThreadPoolExecutor EXECUTOR = newExecutor();

  private UpkeepThread() {}

  /** As an object. Who asks for it early has this class ready when memory runs out. */
  static UpkeepExecutor executor() {
    return UpkeepThread::execute;
  }

  /** Runs a task later: see {@link UpkeepExecutor}. */
  public static void execute(Runnable task, long delayMillis) {
    Future<?> unused = EXECUTOR.schedule(new Logged(task), delayMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Runs a task of upkeep, which is to throw nothing: a mistake must not go unnoticed, and for want
   * of Java heap memory may stay until the task is run again. Throws nothing.
   */
  static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      try {
        logger.warn("Memory that is not in use may not have been given back yet.", e);
      } catch (Throwable ofTheLog) { // an appender's, or no Java heap: upkeep goes on without it
      }
    }
  }

  private static ScheduledThreadPoolExecutor newExecutor() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(1, UpkeepThread::newThread);
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  @SuppressWarnings("removal") // before JDK 24 a thread keeps its starter's access control context
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
      thread.setContextClassLoader(null);
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
