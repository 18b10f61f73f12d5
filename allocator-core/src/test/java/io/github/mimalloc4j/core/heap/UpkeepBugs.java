package io.github.mimalloc4j.core.heap;

/** Upkeep with a planted bug. */
public final class UpkeepBugs {

  private UpkeepBugs() {}

  /** The task looks first, and the request is forgotten afterwards. */
  public static UpkeepView looksBeforeItClears(Runnable lookingTask) {
    return new SimpleUpkeep(lookingTask) {
      @Override
      public void run() {
        task.run();
        scheduled.set(false);
      }
    };
  }

  /** It tells of the executor's refusal while others still take their request for scheduled. */
  public static UpkeepView tellsBeforeItClears(Runnable whenRefused) {
    return new SimpleUpkeep(whenRefused) {
      @Override
      public void request() {
        if (scheduled.compareAndSet(false, true)) {
          task.run();
          scheduled.set(false);
        }
      }
    };
  }
}
