package io.github.mimalloc4j.core.heap;

/** What an {@link UpkeepExecutor} is given to run. It does either of these, once. */
public interface UpkeepTask extends Runnable {

  /**
   * For an executor that has accepted the task and will not run it, since it ends: as if it had
   * refused it. On the thread that would have run it, or on any if that has ended.
   */
  void cancelled();
}
