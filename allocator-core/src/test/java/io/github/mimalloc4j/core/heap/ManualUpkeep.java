package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.TestSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps the tasks until a test runs them, on the thread of the test. */
public final class ManualUpkeep implements UpkeepExecutor {

  private final Queue<UpkeepTask> due = new ArrayDeque<>();

  private final AtomicInteger refusals = new AtomicInteger();

  /** Whether tasks are refused, as by an executor that was shut down. */
  volatile boolean refuses;

  /** Whether what it refuses is refused for good. */
  volatile boolean ending;

  @Override
  public boolean isEnding() {
    return ending;
  }

  /** How many calls are answered before one fails; negative if none does. */
  private int callsUntilFailure = -1;

  private Throwable failure = new RejectedExecutionException("planted");

  /** Has one call fail after some that do not. */
  public synchronized void failAfter(int calls, Throwable failure) {
    callsUntilFailure = calls;
    this.failure = failure;
  }

  /** Whether the call that is to fail has not come yet. */
  public synchronized boolean isToFail() {
    return callsUntilFailure >= 0;
  }

  private synchronized boolean failsNow() {
    return callsUntilFailure >= 0 && callsUntilFailure-- == 0;
  }

  @Override
  public void execute(UpkeepTask task, long delayMillis) {
    if (failsNow()) {
      throw TestSource.<RuntimeException>sneaky(failure);
    }
    if (refuses) {
      refusals.incrementAndGet();
      throw new RejectedExecutionException("the test's executor is shut down");
    }
    synchronized (due) {
      due.add(task);
    }
  }

  /**
   * Cancels the tasks that wait, as an executor does that ends, and returns how many those were.
   */
  int cancelAll() {
    int cancelled = 0;
    for (UpkeepTask task; (task = due.poll()) != null; cancelled++) {
      task.cancelled();
    }
    return cancelled;
  }

  /** How many tasks were refused. */
  int refusals() {
    return refusals.get();
  }

  /** The number of tasks that wait. */
  public int size() {
    synchronized (due) {
      return due.size();
    }
  }

  /** Takes the task that has waited longest. */
  Runnable takeFirst() {
    synchronized (due) {
      return due.remove();
    }
  }

  /** Runs the task that has waited longest. */
  void runFirst() {
    takeFirst().run();
  }

  /** Runs what waits now, not what is added meanwhile. */
  public void runOnce() {
    for (int left = size(); left > 0; left--) {
      runFirst();
    }
  }

  /** Runs until nothing waits. */
  public void runAll() {
    while (size() > 0) {
      runOnce();
    }
  }
}
