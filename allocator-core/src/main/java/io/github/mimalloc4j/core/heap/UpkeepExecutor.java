package io.github.mimalloc4j.core.heap;

/**
 * Runs upkeep: short tasks that give memory back. Implementations are thread-safe, keep nothing but
 * the tasks that are due, and end no thread later because of them.
 */
@FunctionalInterface
public interface UpkeepExecutor {

  /**
   * Runs a task later.
   *
   * @param task throws nothing; an {@link UpkeepTask} that is cancelled later wants to know
   * @param delayMillis how much later, in milliseconds; 0 or more
   * @throws java.util.concurrent.RejectedExecutionException if it will not be run
   */
  void execute(Runnable task, long delayMillis);

  /**
   * Whether it accepts no more tasks, for good. What it refuses before that, such as since its
   * queue is full, it may accept later.
   */
  default boolean isEnding() {
    return false;
  }
}
