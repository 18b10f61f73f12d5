package io.github.mimalloc4j.netty.support;

import io.netty.util.concurrent.AbstractEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An event executor that runs nothing, and counts the exceptions that it makes when it is asked.
 */
public final class RefusingExecutor extends AbstractEventExecutor {

  /** What it answers with. */
  public enum Kind {
    /** As that of Netty's benchmarks. */
    SUPPORTS_NOTHING,
    /** Only schedules nothing. */
    SCHEDULES_NOTHING,
    /** As an executor with a full queue. */
    REJECTS_ALL,
    /** Breaks the contract of its type. */
    RETURNS_NULL,
    /** As one that was compiled against another version. */
    LACKS_METHODS
  }

  private final Kind kind;
  private final AtomicInteger exceptions = new AtomicInteger();

  public RefusingExecutor(Kind kind) {
    this.kind = kind;
  }

  /** How many exceptions were made until now. */
  public int exceptions() {
    return exceptions.get();
  }

  /** Runs a task on a new thread that has this for its executor, and rethrows. */
  public void run(Callable<?> task) {
    start(task).end();
  }

  /** Starts such a thread, which ends with the task. */
  public ThreadKind.Running<?> start(Callable<?> task) {
    ThreadFactory threads = ThreadExecutorMap.apply(new DefaultThreadFactory("refused"), this);
    return ThreadKind.start(
        task,
        work -> {
          Thread thread = threads.newThread(work);
          thread.start();
          return thread;
        });
  }

  private RuntimeException unsupported() {
    exceptions.incrementAndGet();
    if (kind == Kind.LACKS_METHODS) {
      throw new AbstractMethodError("planted");
    }
    return kind == Kind.REJECTS_ALL
        ? new RejectedExecutionException("planted")
        : new UnsupportedOperationException("planted");
  }

  @Override
  public boolean isShuttingDown() {
    if (kind == Kind.SUPPORTS_NOTHING || kind == Kind.LACKS_METHODS) {
      throw unsupported();
    }
    return false;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    if (kind == Kind.RETURNS_NULL) {
      exceptions.incrementAndGet(); // of who uses the answer
      return null;
    }
    throw unsupported();
  }

  @Override
  public Future<?> terminationFuture() {
    throw unsupported();
  }

  @Override
  public void execute(Runnable task) {
    throw unsupported();
  }

  @Override
  public boolean inEventLoop(Thread thread) {
    throw unsupported();
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    throw unsupported();
  }

  @Override
  @Deprecated
  public void shutdown() {
    throw unsupported();
  }

  @Override
  public boolean isShutdown() {
    throw unsupported();
  }

  @Override
  public boolean isTerminated() {
    throw unsupported();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    throw unsupported();
  }
}
