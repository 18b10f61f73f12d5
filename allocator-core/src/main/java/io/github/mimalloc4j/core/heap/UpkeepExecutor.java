package io.github.mimalloc4j.core.heap;

/**
 * Runs upkeep: short tasks that give memory back. Implementations are thread-safe, keep nothing but
 * pending tasks, and do not keep the JVM from ending because of those.
 */
@FunctionalInterface
public interface UpkeepExecutor {

  /**
   * Runs a task later.
   *
   * @param task may throw, for example where there is no Java heap: it has then asked for another
   *     run, or left the work to the owner
   * @param delayMillis the delay in milliseconds, 0 or more
   * @throws java.util.concurrent.RejectedExecutionException if the task may not be run
   */
  void execute(UpkeepTask task, long delayMillis);

  /**
   * Returns whether the executor accepts no more tasks, for good. What it refuses before that, for
   * example because its queue is full, it may accept later.
   */
  default boolean isEnding() {
    return false;
  }
}
