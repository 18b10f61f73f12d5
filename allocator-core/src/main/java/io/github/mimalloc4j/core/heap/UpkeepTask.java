package io.github.mimalloc4j.core.heap;

/** A task for an {@link UpkeepExecutor}, which calls one of the two methods, once. */
@FunctionalInterface
public interface UpkeepTask extends Runnable {

  /**
   * Called by an executor that has accepted the task and will not run it because the executor ends:
   * as if it had refused the task. Called on the thread that would have run the task, or on any
   * thread if that one has ended.
   */
  default void cancelled() {}
}
