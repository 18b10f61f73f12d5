package io.github.mimalloc4j.core.heap;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A task that is run a while after it was asked for, once for all who asked meanwhile. While nobody
 * asks nothing is scheduled, so that an idle process is not woken.
 *
 * <pre>
 *            request                          request: nothing to do
 *   at rest ─────────▶ scheduled on the executor ◀──┐
 *      ▲                     │    └─────────────────┘
 *      └─────────────────────┘ run: first "at rest", then the task
 * </pre>
 *
 * <p>Who asks has made the reason visible before; the task looks after the state has changed. So
 * either the task sees the reason, or another run of it was scheduled.
 *
 * <p>Thread-safe.
 */
public final class Upkeep implements Runnable {

  /** Never runs anything. */
  static final Upkeep NONE = new Upkeep((task, delay) -> {}, 0, () -> {}, () -> {});

  private static final VarHandle SCHEDULED;

  static {
    try {
      SCHEDULED = MethodHandles.lookup().findVarHandle(Upkeep.class, "scheduled", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final UpkeepExecutor executor;
  private final long delayMillis;
  private final Runnable task;
  private final Runnable whenRefused;

  private volatile boolean scheduled;

  /**
   * Makes the upkeep of something.
   *
   * @param delayMillis from the request to the run; 0 if requests are to be ignored
   * @param task throws nothing
   * @param whenRefused is told when the executor refuses
   */
  public Upkeep(UpkeepExecutor executor, long delayMillis, Runnable task, Runnable whenRefused) {
    this.executor = requireNonNull(executor, "executor");
    this.delayMillis = delayMillis;
    this.task = task;
    this.whenRefused = whenRefused;
  }

  /** Asks for a run. Throws nothing: what a release cannot schedule must not make it fail. */
  public void request() {
    if (delayMillis > 0 && !scheduled && SCHEDULED.compareAndSet(this, false, true)) {
      if (!submit(this, delayMillis)) {
        scheduled = false; // before anybody is told: others may have relied on this request
        whenRefused.run();
      }
    }
  }

  /** Asks for a run as soon as the executor has time. */
  void requestNow() {
    if (!submit(task, 0)) {
      whenRefused.run();
    }
  }

  /** Whether a run is to come that will see all that happened until now. */
  boolean isRequested() {
    return scheduled;
  }

  /** Whether requests are followed by anything. */
  boolean isActive() {
    return delayMillis > 0;
  }

  /** For the executor. */
  @Override
  public void run() {
    scheduled = false; // before the task looks at anything: see the class
    task.run();
  }

  private boolean submit(Runnable runnable, long delay) {
    try {
      executor.execute(runnable, delay);
      return true;
    } catch (RuntimeException | Error e) {
      return false; // a user's executor may refuse in its own way, or there is no Java heap for it
    }
  }
}
