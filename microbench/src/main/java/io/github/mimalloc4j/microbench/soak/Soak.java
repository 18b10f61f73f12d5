package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A soak from its first thread to the memory's return. Runs once.
 *
 * <p>The end: all threads but the event loops end; this thread checks and releases every buffer;
 * then nothing is called while the loops sit idle, and the memory must come back.
 */
final class Soak {
  private static final int LOOK_AGAIN_MILLIS = 20;
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(10);

  private final Subject subject;
  private final SoakOptions options;
  private final BiConsumer<String, Duration> progress;
  private final Traffic traffic;
  private final Lives lives;
  private final LoggedErrors errors = new LoggedErrors();
  private final List<String> notes = new ArrayList<>();
  private final long start = System.nanoTime();

  private String doing = "starting threads";
  private Duration nextProgress = PROGRESS_EVERY;
  private int pauses;
  private int mostLiveBuffers;
  private long mostLiveBytes;
  private int unplaced;

  /** A soak that tells now and then where it is, and how much time is left. */
  Soak(Subject subject, SoakOptions options, BiConsumer<String, Duration> progress) {
    this.subject = subject;
    this.options = options;
    this.progress = progress;
    traffic = new Traffic(subject, options);
    lives = new Lives(traffic, options.seed());
    if (subject.failures != null) {
      subject.failures.tell(errors);
    }
  }

  Outcome run() throws InterruptedException {
    Outcome.@Nullable Failure failure = null;
    Duration worked = Duration.ZERO;
    try {
      work();
      worked = time();
      end();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | Error e) {
      failure = failureHere(e);
    } finally {
      errors.close();
      try {
        lives.close();
      } catch (SoakFailure e) {
        failure = failure != null ? failure : failureHere(e);
      }
    }
    if (subject.failures != null) {
      notes.add(subject.failures.summary());
    }
    if (unplaced > 0) {
      notes.add(
          "%,d times a live buffer could not be checked for overlap: its address is unknown"
              .formatted(unplaced));
    }
    return new Outcome(
        lives.failure() != null ? lives.failure() : failure,
        traffic,
        worked.isZero() ? time() : worked,
        lives.started,
        pauses,
        mostLiveBuffers,
        mostLiveBytes,
        List.copyOf(notes));
  }

  private Outcome.Failure failureHere(Throwable cause) {
    return new Outcome.Failure(doing, Thread.currentThread().getName(), cause);
  }

  private void work() throws InterruptedException {
    lives.start(options.threadsOfEachKind());
    doing = "inspecting the allocator while all threads are paused";
    do { // at least once, even if the threads were done before this one got here
      lives.tend(options.pauseEvery());
      if (lives.failure() == null) {
        lives.pause(this::inspect);
      }
    } while (!isOver());
  }

  private void end() throws InterruptedException {
    doing = "ending the threads";
    lives.end();
    if (lives.failure() != null) {
      return;
    }
    doing = "inspecting the allocator after all threads have ended";
    lives.pause(this::inspect);
    doing = "releasing everything";
    Worker last = new Worker(traffic, 0, new SplittableRandom(options.seed()));
    traffic.handedOver.drain(last::keep);
    lives.leftBehind.forEach(last::keep);
    lives.leftBehind.clear();
    last.releaseAll();
    doing = "waiting for memory to be given back";
    awaitReturn();
    lives.close();
    doing = "inspecting the allocator when nothing is live";
    inspect();
  }

  private boolean isOver() {
    return lives.failure() != null
        || time().compareTo(options.time()) >= 0
        || traffic.operations() >= options.operations();
  }

  private Duration time() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private void inspect() throws InterruptedException {
    LiveRegistry live = new LiveRegistry();
    lives.forEachHolding(live::add);
    traffic.handedOver.forEach(live::add);
    live.checkOverlaps();
    subject.checkAtRest(live);
    errors.check();
    pauses++;
    unplaced += live.unplaced();
    mostLiveBuffers = Math.max(mostLiveBuffers, live.buffers());
    mostLiveBytes = Math.max(mostLiveBytes, live.bytes());
    if (time().compareTo(nextProgress) >= 0) {
      nextProgress = time().plus(PROGRESS_EVERY);
      progress.accept(
          Outcome.progress(traffic, time(), subject.usedBytes(), live.bytes()), timeLeft());
    }
  }

  private Duration timeLeft() {
    long done = Math.max(1, traffic.operations());
    double byOperations = (options.operations() - done) / (double) done * time().toMillis();
    double byTime = options.time().minus(time()).toMillis();
    return Duration.ofMillis((long) Math.max(0, Math.min(byOperations, byTime)));
  }

  private void awaitReturn() throws InterruptedException {
    Subject.Return promised = subject.memoryReturn;
    long released = System.nanoTime();
    long millis;
    @Nullable String wrong;
    Thread.sleep(promised.due().toMillis());
    do {
      Thread.sleep(LOOK_AGAIN_MILLIS);
      wrong = wrongWhenNothingIsLive(promised.retainedBytes());
      millis = (System.nanoTime() - released) / 1_000_000;
    } while (wrong != null && millis < promised.latest().toMillis());
    if (wrong != null) {
      throw new SoakFailure(wrong + ", " + millis + " ms after the last release");
    }
    notes.add(
        "used %.1f s after the last release: %,d bytes of direct memory, %,d on the heap"
            .formatted(
                millis / 1000.0,
                subject.usedBytes(BufferKind.DIRECT),
                subject.usedBytes(BufferKind.HEAP)));
  }

  private @Nullable String wrongWhenNothingIsLive(long retainedBytes) {
    for (BufferKind kind : BufferKind.values()) {
      Long pinned = subject.pinnedBytes(kind);
      if (pinned != null && pinned != 0) {
        return "leaked: everything was released, but %,d bytes of %s memory are in use"
            .formatted(pinned, kind);
      }
      long used = subject.usedBytes(kind);
      if (used > retainedBytes) {
        return "nothing is live, but %,d bytes of %s memory are held, more than %,d"
            .formatted(used, kind, retainedBytes);
      }
    }
    return null;
  }
}
