package io.github.mimalloc4j.core.heap;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/** Keeps the tasks until a test runs them, on the thread of the test. */
public final class ManualUpkeep implements UpkeepExecutor {

  private final Queue<Runnable> due = new ArrayDeque<>();

  /** Whether tasks are refused, as by an executor that was shut down. */
  volatile boolean refuses;

  /** Whether what it refuses is refused for good. */
  volatile boolean ending;

  @Override
  public boolean isEnding() {
    return ending;
  }

  @Override
  public void execute(Runnable task, long delayMillis) {
    if (refuses) {
      throw new RejectedExecutionException("the test's executor is shut down");
    }
    synchronized (due) {
      due.add(task);
    }
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
