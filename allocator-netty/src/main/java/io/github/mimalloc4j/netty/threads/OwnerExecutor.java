package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.heap.UpkeepTask;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.FutureListener;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the upkeep of a heap on the thread that owns it, a thread of an event executor.
 *
 * <p>An executor that is shutting down gets no more tasks, because it would wait for them. It
 * cancels the tasks that it has. Its thread abandons the heap when the thread ends. That may fail:
 * if another thread-local throws, Netty does not remove ours. Therefore, once the executor is
 * shutting down, this class polls for the end of its thread. It also does so if the executor cannot
 * run tasks, or has run one on another thread, as one that was suspended does.
 */
final class OwnerExecutor implements UpkeepExecutor {

  private static final long LOOK_MILLIS = 1000;

  private static final VarHandle ENDING;

  static {
    try {
      ENDING = MethodHandles.lookup().findVarHandle(OwnerExecutor.class, "ending", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Limits polling to two minutes, because a thread may live on without its executor. */
  private static final int MOST_LOOKS = 120;

  private final EventExecutor executor;
  private final Runnable whenTrimmed;
  private final Runnable whenEnded;
  private final long lookMillis;
  private final int mostLooks;
  private final Thread owner = Thread.currentThread();

  /** The only one: at most one is scheduled. Made now, as the Java heap may be full later. */
  private final Look look = new Look();

  /** For the owner only. */
  private @Nullable Termination termination;

  /** Whether {@link #look} is scheduled or running. */
  private volatile boolean ending;

  /** Whether the executor cannot run tasks, as in some benchmarks and tests. */
  private volatile boolean unable;

  /**
   * Creates an instance for the calling thread.
   *
   * @param executor runs its tasks on the calling thread
   * @param whenTrimmed run on that thread after each task
   * @param whenEnded run on the upkeep thread when polling finds that the thread has ended, or
   *     gives up
   */
  OwnerExecutor(EventExecutor executor, Runnable whenTrimmed, Runnable whenEnded) {
    this(executor, whenTrimmed, whenEnded, LOOK_MILLIS, MOST_LOOKS);
  }

  /** For tests, which look more often. */
  OwnerExecutor(
      EventExecutor executor,
      Runnable whenTrimmed,
      Runnable whenEnded,
      long lookMillis,
      int mostLooks) {
    this.executor = executor;
    this.whenTrimmed = whenTrimmed;
    this.whenEnded = whenEnded;
    this.lookMillis = lookMillis;
    this.mostLooks = mostLooks;
  }

  /**
   * Polls for the thread's end once the executor has terminated. For a thread that does not report
   * its own end. By then, Netty may have removed its thread-locals anyway.
   *
   * @return false if the executor does not report its termination either
   */
  boolean expectTermination() {
    try {
      termination = new Termination(this);
      executor.terminationFuture().addListener(termination);
      return true;
    } catch (Throwable e) { // not supported, for example by that of embedded channels
      return false;
    }
  }

  /**
   * Ends what {@link #expectTermination} has begun, because the thread has abandoned the heap. The
   * executor may go on for long, and with many threads one after the other.
   */
  void forgetTermination() {
    if (termination != null) {
      try {
        executor.terminationFuture().removeListener(termination);
      } catch (Throwable e) { // not supported: it stays, and finds nothing
      }
    }
  }

  /** Propagates what the executor throws. Callers must expect that. */
  @Override
  public void execute(UpkeepTask task, long delayMillis) {
    try {
      schedule(task, delayMillis);
    } catch (RejectedExecutionException | VirtualMachineError e) {
      throw e; // may succeed next time
    } catch (RuntimeException | Error e) {
      unable = true;
      expectEnd();
      throw e;
    }
  }

  private void schedule(UpkeepTask task, long delayMillis) {
    if (executor.isShuttingDown()) {
      expectEnd();
      throw new RejectedExecutionException("the executor is shutting down");
    }
    Trim trim = new Trim(task);
    Future<?> scheduled = executor.schedule(trim, delayMillis, TimeUnit.MILLISECONDS);
    if (executor.isShuttingDown()) { // since: it may cancel the task and not notify a listener
      expectEnd();
      throw new RejectedExecutionException("the executor began to shut down");
    }
    scheduled.addListener(trim);
    if (executor.isShuttingDown()) { // as above
      expectEnd();
    }
  }

  /**
   * Returns true only while the owner's end is polled for. Until then, a refused request must be
   * repeated.
   */
  @Override
  public boolean isEnding() {
    return ending && (unable || executor.isShuttingDown());
  }

  private void expectEnd() {
    if (ENDING.compareAndSet(this, false, true)) {
      try {
        look.looks = 0;
        UpkeepThread.execute(look, lookMillis);
      } catch (Throwable e) { // no Java heap, no stack or no thread just now
        ending = false;
        throw e;
      }
    }
  }

  /** Does not keep the allocator reachable, because the executor may outlive it. */
  private static final class Termination implements FutureListener<Object> {

    private final WeakReference<OwnerExecutor> reference;

    Termination(OwnerExecutor referent) {
      reference = new WeakReference<>(referent);
    }

    @Override
    public void operationComplete(Future<Object> terminated) {
      OwnerExecutor current = reference.get();
      if (current != null) { // otherwise nobody owns the heap through it any more
        current.expectEnd();
      }
    }
  }

  private final class Trim implements Runnable, FutureListener<Object> {

    private final UpkeepTask task;

    Trim(UpkeepTask task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (Thread.currentThread() != owner) {
        expectEndOrCancel();
      }
      UpkeepThread.runLogged(task);
      whenTrimmed.run();
    }

    private void expectEndOrCancel() {
      try {
        expectEnd();
      } catch (Throwable e) { // as there; the task is asked for again
        task.cancelled();
        throw e;
      }
    }

    /** Called by the executor. */
    @Override
    public void operationComplete(Future<Object> scheduled) {
      if (scheduled.isCancelled()) {
        try {
          expectEnd();
        } finally {
          task.cancelled(); // the thread may live on, for example one that drove an event loop
        }
      }
    }
  }

  /** Polls for the thread's end. */
  private final class Look implements Runnable {

    private int looks;

    @Override
    public void run() {
      if (owner.isAlive() && looks++ < mostLooks) {
        again();
      } else {
        ending = false; // if the thread lives on, a later termination may begin polling again
        whenEnded.run();
      }
    }

    private void again() {
      try {
        UpkeepThread.execute(this, lookMillis);
      } catch (Throwable e) { // as in expectEnd()
        ending = false;
        throw e;
      }
    }
  }
}
