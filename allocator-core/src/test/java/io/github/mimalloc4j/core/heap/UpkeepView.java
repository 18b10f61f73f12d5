package io.github.mimalloc4j.core.heap;

import java.util.concurrent.RejectedExecutionException;

/** What the races see of an {@link Upkeep}, so that a broken one can take its place. */
public interface UpkeepView {

  void request();

  /** Whether a run is to come. */
  boolean isRequested();

  /** What the executor does when a run is due. */
  void run();

  /** Runs it if that was asked for, and returns whether it was. One thread at a time. */
  default boolean runIfRequested() {
    boolean requested = isRequested();
    if (requested) {
      run();
    }
    return requested;
  }

  /** The real one, whose executor is the race. */
  static UpkeepView real(Runnable task) {
    return new RealUpkeep(new Upkeep((run, delay) -> {}, 1, task, () -> {}));
  }

  /** The real one, whose executor refuses. */
  static UpkeepView refused(Runnable whenRefused) {
    UpkeepExecutor refusing =
        (run, delay) -> {
          throw new RejectedExecutionException("the executor has ended");
        };
    return new RealUpkeep(new Upkeep(refusing, 1, () -> {}, whenRefused));
  }
}
