package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads: some of each kind, and when one has ended, another of its kind, which goes on with
 * buffers that ended ones have left.
 *
 * <p>For one thread, which learns of lives that are over when it {@linkplain #tend tends}.
 */
final class Lives {
  /** Threads that take longer to stop than this wait for each other, or for ever. */
  private static final Duration STUCK = Duration.ofSeconds(60);

  private final Traffic traffic;
  private final SplittableRandom random;

  /** All whose threads have not ended; of them, those that have operations to do. */
  private final Set<Life> lives = new LinkedHashSet<>();

  private final Set<Life> working = new LinkedHashSet<>();
  private final Deque<Holding> leftBehind = new ArrayDeque<>();
  private final BlockingQueue<Life> over = new LinkedBlockingQueue<>();
  private final AtomicReference<Outcome.@Nullable Failure> failure = new AtomicReference<>();
  private int started;

  Lives(Traffic traffic, long seed) {
    this.traffic = traffic;
    random = new SplittableRandom(seed);
  }

  /** Starts threads of each kind. */
  void start(int threadsOfAKind) {
    for (ThreadKind kind : ThreadKind.available()) {
      for (int i = 0; i < threadsOfAKind; i++) {
        start(kind);
      }
    }
  }

  private void start(ThreadKind kind) {
    SplittableRandom own = random.split();
    Worker worker = new Worker(traffic, ++started, own);
    worker.inherit(leftBehind);
    Life life = new Life(started, kind, worker, own);
    lives.add(life);
    working.add(life);
    life.start(this::noteEnd);
  }

  /** On the life's thread. */
  private void noteEnd(Life life, @Nullable Throwable thrown) {
    if (thrown != null) {
      String thread = Thread.currentThread().getName();
      failure.compareAndSet(null, new Outcome.Failure(life.toString(), thread, thrown));
    }
    over.add(life);
  }

  /** How many have begun. */
  int started() {
    return started;
  }

  /** What the first thread that failed says; null if none did. */
  Outcome.@Nullable Failure failure() {
    return failure.get();
  }

  /** Starts other lives in the place of those that end within the time, unless one fails. */
  void tend(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    while (failure() == null) {
      Life ended = takeEnded(deadline - System.nanoTime());
      if (ended == null || failure() != null) {
        return;
      }
      close(ended);
      start(ended.kind());
    }
  }

  private @Nullable Life takeEnded(long nanos) throws InterruptedException {
    Life ended = over.poll(nanos, TimeUnit.NANOSECONDS);
    if (ended != null) {
      working.remove(ended);
      leftBehind.addAll(ended.worker().leave());
    }
    return ended;
  }

  private void close(Life life) throws InterruptedException {
    life.close();
    lives.remove(life);
  }

  /** Stops all threads for an inspection, also those that have nothing to do. */
  void pause(Standstill.Inspection inspection) throws InterruptedException {
    Standstill.during(lives.stream().map(Life::executor).toList(), STUCK, inspection);
  }

  /** Shows what all workers hold and have left. During a pause. */
  void forEachHolding(Consumer<Holding> action) {
    lives.forEach(life -> life.worker().holdings().forEach(action));
    leftBehind.forEach(action);
  }

  /** What lives that are over have left. */
  Deque<Holding> leftBehind() {
    return leftBehind;
  }

  /** Ends all lives and waits for that. Event loops stay, idle. */
  void end() throws InterruptedException {
    working.forEach(Life::end);
    while (!working.isEmpty()) {
      Life ended = takeEnded(STUCK.toNanos());
      if (ended == null) {
        throw Standstill.stuck(working.size() + " threads did not end", STUCK);
      }
      if (!ended.kind().isEventLoop()) {
        close(ended);
      }
    }
  }

  /** Ends the event loops, too; all threads, if they have not ended yet. */
  void close() throws InterruptedException {
    try {
      end();
    } catch (SoakFailure e) {
      // What went wrong before is what matters, and why they are stuck.
    }
    for (Life life : List.copyOf(lives)) {
      close(life);
    }
  }
}
