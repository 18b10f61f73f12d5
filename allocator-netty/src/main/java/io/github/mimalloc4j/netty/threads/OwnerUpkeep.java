package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.heap.UpkeepTask;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.FutureListener;
import java.lang.ref.WeakReference;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs the upkeep of a heap on the thread that owns it, which is that of an event executor.
 *
 * <p>An executor that is shutting down gets no more tasks, for it would wait for them, and cancels
 * those that it has. Its thread abandons the heap when it ends. It may fail to: another
 * thread-local that throws keeps Netty from removing ours. Therefore its end is looked out for from
 * then on; so is that of a thread whose executor is unable to run tasks.
 */
final class OwnerUpkeep implements UpkeepExecutor {

  private static final long LOOK_MILLIS = 1000;

  /** A thread may live on without its executor; it is not waited for longer than two minutes. */
  private static final int MOST_LOOKS = 120;

  private final EventExecutor executor;
  private final Runnable whenTrimmed;
  private final Runnable whenEnded;
  private final Thread owner = Thread.currentThread();
  private final AtomicBoolean ending = new AtomicBoolean();

  /** Whether the executor is unable to run tasks, as one in a benchmark or a test may be. */
  private volatile boolean unable;

  /**
   * For the calling thread.
   *
   * @param executor runs its tasks on it
   * @param whenTrimmed is run there after each task
   * @param whenEnded is run somewhere after the thread's end, if a task was refused or cancelled
   */
  OwnerUpkeep(EventExecutor executor, Runnable whenTrimmed, Runnable whenEnded) {
    this.executor = executor;
    this.whenTrimmed = whenTrimmed;
    this.whenEnded = whenEnded;
  }

  /**
   * Has the thread's end looked out for once the executor has ended. For a thread that does not
   * tell itself: by then Netty may have removed its thread-locals all the same.
   *
   * @return false if the executor does not tell either
   */
  boolean expectTermination() {
    try {
      executor.terminationFuture().addListener(new Termination(this));
      return true;
    } catch (Throwable e) { // it supports no such thing, as that of embedded channels
      return false;
    }
  }

  /** What the executor throws goes on to the caller, which has to expect it. */
  @Override
  public void execute(Runnable task, long delayMillis) {
    try {
      schedule(task, delayMillis);
    } catch (RejectedExecutionException | VirtualMachineError e) {
      throw e; // may be otherwise next time
    } catch (RuntimeException | Error e) {
      unable = true;
      expectEnd();
      throw e;
    }
  }

  private void schedule(Runnable task, long delayMillis) {
    if (executor.isShuttingDown()) {
      expectEnd();
      throw new RejectedExecutionException("the executor is shutting down");
    }
    Trim trim = new Trim(task);
    Future<?> scheduled = executor.schedule(trim, delayMillis, TimeUnit.MILLISECONDS);
    if (executor.isShuttingDown()) { // meanwhile: one that has ended could not tell a listener
      expectEnd();
    } else {
      scheduled.addListener(trim);
    }
  }

  @Override
  public boolean isEnding() {
    return unable || executor.isShuttingDown();
  }

  private void expectEnd() {
    if (ending.compareAndSet(false, true)) {
      UpkeepThread.execute(new Look(), LOOK_MILLIS);
    }
  }

  /** The executor may outlive the allocator: then it does not keep it. */
  private static final class Termination implements FutureListener<Object> {

    private final WeakReference<OwnerUpkeep> upkeep;

    Termination(OwnerUpkeep upkeep) {
      this.upkeep = new WeakReference<>(upkeep);
    }

    @Override
    public void operationComplete(Future<Object> terminated) {
      OwnerUpkeep current = upkeep.get();
      if (current != null) { // else nobody owns the heap by it any more
        current.expectEnd();
      }
    }
  }

  private final class Trim implements Runnable, FutureListener<Object> {

    private final Runnable task;

    Trim(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      UpkeepThread.runLogged(task);
      whenTrimmed.run();
    }

    /** For the executor. */
    @Override
    public void operationComplete(Future<Object> scheduled) {
      if (scheduled.isCancelled()) {
        expectEnd();
        if (task instanceof UpkeepTask upkeep) {
          upkeep.cancelled(); // the thread may live on, as one may that drove an event loop
        }
      }
    }
  }

  /** Looks for the thread's end, again and again. */
  private final class Look implements Runnable {

    private int looks;

    @Override
    public void run() {
      if (owner.isAlive() && looks++ < MOST_LOOKS) {
        UpkeepThread.execute(this, LOOK_MILLIS);
      } else {
        whenEnded.run();
      }
    }
  }
}
