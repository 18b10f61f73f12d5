package io.github.mimalloc4j.core.heap;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.memory.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A task that runs a while after it was requested, once for all requests made meanwhile. Without a
 * request nothing is scheduled, so that an idle process is not woken.
 *
 * <pre>
 *            request                          request: nothing to do
 *   at rest ─────────▶ scheduled on the executor ◀──┐
 *      ▲                     │    └─────────────────┘
 *      └─────────────────────┘ run: first "at rest", then the task
 * </pre>
 *
 * <p>A caller makes its reason visible before the request; the task looks after the state has
 * changed. So either the task sees the reason, or another run of it was scheduled.
 *
 * <p>A task that leaves some of its work for later {@linkplain #continueSoon continues} with the
 * rest. A continuation is not a run: it answers no request, and a request that comes meanwhile is
 * followed by a run of its own.
 *
 * <p>Thread-safe.
 */
public final class Upkeep {

  /** Never runs anything. */
  static final Upkeep NONE = new Upkeep((task, delay) -> {}, 0, () -> {}, () -> {});

  /**
   * The delay from one part of the work to the next, so that the executor gets to its other tasks.
   */
  private static final long CONTINUE_MILLIS = 1;

  /**
   * The minimum delay before a run that failed is repeated, unless it had requested another before
   * it failed. If the Java heap is exhausted, what failed may work a moment later; if there is a
   * bug, the repetition keeps no thread busy.
   */
  private static final long MIN_RETRY_MILLIS = 1000;

  private static final int ACCEPTED = 0;

  /** The executor refused, and may accept later. */
  private static final int REFUSED = 1;

  /** The executor refused, and always will. */
  private static final int ENDED = 2;

  private static final VarHandle PENDING;

  static {
    try {
      PENDING = MethodHandles.lookup().findVarHandle(Submission.class, "pending", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final UpkeepExecutor executor;
  private final long delayMillis;
  private final Runnable whenRefused;
  private final Submission delayedRun;
  private final Submission immediateRun;
  private final Submission continuation;

  /** The executor's last answer: {@code ACCEPTED}, {@code REFUSED} or {@code ENDED}. */
  private volatile int answer = ACCEPTED;

  /** Whether a run was requested since the executor refused one. */
  private volatile boolean wanted;

  /** Whether the owner must do the work itself when it next looks ({@link #takeDue}). */
  private volatile boolean due;

  /**
   * Whether, after a refusal, {@link #request} leaves it to {@link #requestRefused} to ask the
   * executor again. If false, every {@link #request} asks.
   */
  private final boolean delaysRetries;

  /**
   * Creates the upkeep of something that is done in one go.
   *
   * @param delayMillis from the request to the run; 0 to ignore requests
   * @param task must throw nothing; if it does, it is run again later
   * @param whenRefused is called when the executor refuses
   */
  public Upkeep(UpkeepExecutor executor, long delayMillis, Runnable task, Runnable whenRefused) {
    this(executor, delayMillis, task, () -> {}, whenRefused, false);
  }

  /**
   * Creates the upkeep of what a thread owns, which is done in several parts on that thread. While
   * the executor refuses, only {@link #requestRefused} asks it, because a refusal costs an
   * exception.
   *
   * @param rest continues what {@code task} left; must throw nothing either
   * @param whenRefused is called for each request that the executor does not get, and calls {@link
   *     #requestRefused} a while later
   */
  Upkeep(
      UpkeepExecutor executor,
      long delayMillis,
      Runnable task,
      Runnable rest,
      Runnable whenRefused) {
    this(executor, delayMillis, task, rest, whenRefused, true);
  }

  private Upkeep(
      UpkeepExecutor executor,
      long delayMillis,
      Runnable task,
      Runnable rest,
      Runnable whenRefused,
      boolean delaysRetries) {
    this.executor = requireNonNull(executor, "executor");
    this.delayMillis = delayMillis;
    delayedRun = new Submission(task);
    immediateRun = new Submission(task);
    continuation = new Submission(rest);
    this.whenRefused = whenRefused;
    this.delaysRetries = delaysRetries;
  }

  /** Requests a run. Throws nothing: a release must not fail because it cannot schedule a run. */
  public void request() {
    request(delayMillis);
  }

  private void request(long delay) {
    if (!isActive() || delayedRun.pending) {
      return;
    }
    if (answer != ACCEPTED && delaysRetries) {
      want();
    } else {
      delayedRun.submit(delay);
    }
  }

  /**
   * Forgets a refusal before the executor is asked again. For a thread's own upkeep, {@link
   * #requestRefused} does that.
   */
  private void forgetRefusal() {
    if (answer != ACCEPTED && !delaysRetries) {
      answer = ACCEPTED;
    }
  }

  /**
   * Records a request that the executor does not get, and has {@code whenRefused} arrange for
   * {@link #requestRefused}.
   */
  private void want() {
    if (!wanted) {
      wanted = true;
    }
    whenRefused.run();
  }

  /** Requests a run as soon as the executor has time, once for all requests until then. */
  void requestNow() {
    if (answer == ENDED && delaysRetries) {
      due = true;
      want();
    } else {
      immediateRun.submit(0);
    }
  }

  /**
   * Asks again if the executor has refused but may accept later. What it refuses again is left to
   * the owner, if there is one. The code that was told of the refusal calls this method a while
   * later. Any thread; throws nothing.
   */
  public void requestRefused() {
    if (answer == REFUSED) {
      answer = ACCEPTED; // before the request, which may be refused again
      request();
    }
    if (answer != ACCEPTED && wanted) {
      wanted = false; // before the owner looks at anything, and clears what follows
      due = true;
    }
  }

  /**
   * Returns whether the owner must do the task itself. If so, everything wanted until now is done
   * once the task is. Owner only, where it can trim.
   */
  boolean takeDue() {
    if (!due) {
      return false;
    }
    StackRoom.requireOwn(); // else the task might not even begin
    due = false; // before the owner looks at anything: as in Submission.run()
    return true;
  }

  UpkeepExecutor executor() {
    return executor;
  }

  /** Returns whether a request was refused that may be made again. For checks at rest. */
  boolean isRefused() {
    return answer == REFUSED;
  }

  /**
   * Returns whether the executor has refused what it was last asked for. If requests have no
   * effect, a refusal counts for good: the owner finishes whatever was begun.
   */
  boolean isRefusing() {
    return answer != ACCEPTED;
  }

  /**
   * Returns whether the owner must look, now or later, since nobody else may. For checks at rest.
   */
  boolean isWanted() {
    return answer != ACCEPTED && (wanted || due);
  }

  /**
   * Schedules the rest of the work to be done soon. If it is not to come then, because the executor
   * refuses, the task has to do it at once; an owner in a search leaves it to its next ones. The
   * task's thread only.
   */
  void continueSoon() {
    continuation.submit(CONTINUE_MILLIS);
  }

  /** Returns whether the rest of the work is to come. */
  boolean isContinued() {
    return continuation.pending;
  }

  /** Returns what the executor gets for a request. For races, which play the executor. */
  UpkeepTask delayedRun() {
    return delayedRun;
  }

  /** Returns whether a run is to come that will see everything that happened until now. */
  boolean isRequested() {
    return delayedRun.pending;
  }

  /** Returns whether requests have any effect. */
  boolean isActive() {
    return delayMillis > 0;
  }

  private void runOrRetry(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) { // part of it may be done, and nobody else may do the rest
      if (isActive()) {
        request(Math.max(delayMillis, MIN_RETRY_MILLIS));
      } else {
        refused(); // no request has an effect: the owner does it
      }
      throw e;
    }
  }

  private void refused() {
    // The caller has withdrawn its request already: otherwise requestRefused() could take it for a
    // run that is still to come. The fields are set before whenRefused tells anybody.
    if (isActive()) {
      wanted = true;
    } else {
      due = true; // nobody who is told asks again
    }
    answer = mayAcceptLater() ? REFUSED : ENDED;
    whenRefused.run();
  }

  private boolean mayAcceptLater() {
    try {
      return !executor.isEnding();
    } catch (Throwable e) {
      return false; // a user's executor, as in Submission.submit()
    }
  }

  /** Work that is handed to the executor, once for all who ask before it begins. */
  private final class Submission implements UpkeepTask {

    private final Runnable work;

    /** Whether the work was handed to the executor and has not begun. */
    private volatile boolean pending;

    Submission(Runnable work) {
      this.work = work;
    }

    void submit(long delay) {
      if (!pending && PENDING.compareAndSet(this, false, true)) {
        try {
          forgetRefusal();
          executor.execute(this, delay);
        } catch (Throwable e) { // of a user's executor, or there is no Java heap or stack for it
          pending = false; // before anybody is told: others may have relied on this submission
          refused();
        }
      }
    }

    @Override
    public void run() {
      pending = false; // before the work looks at anything: see the class
      runOrRetry(work);
    }

    @Override
    public void cancelled() {
      pending = false; // as in submit(), when the executor refuses at once
      refused();
    }
  }
}
