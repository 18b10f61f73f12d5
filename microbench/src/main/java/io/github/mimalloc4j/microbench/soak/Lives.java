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
import java.util.concurrent.ExecutorService;
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

  /** So many operations that the thread's other tasks cost little beside them. */
  private static final int BATCH = 256;

  /** At least so long a thread has that is to end. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Traffic traffic;
  private final SplittableRandom random;

  /** All whose threads have not ended; of them, those that have operations to do. */
  private final Set<Life> lives = new LinkedHashSet<>();

  private final Set<Life> working = new LinkedHashSet<>();

  /** What lives that are over have left. */
  final Deque<Holding> leftBehind = new ArrayDeque<>();

  private final BlockingQueue<Life> over = new LinkedBlockingQueue<>();
  private final AtomicReference<Outcome.@Nullable Failure> failure = new AtomicReference<>();

  /** How many have begun. */
  int started;

  /** A thread from its first operation to its last, and the worker on it. */
  private final class Life {
    final int number = ++started;
    final ThreadKind kind;
    final Worker worker;
    final int operations;
    final ExecutorService executor;
    volatile @Nullable Thread thread;
    volatile boolean ending;
    int done;

    Life(ThreadKind kind, SplittableRandom own) {
      this.kind = kind;
      worker = new Worker(traffic, number, own);
      worker.inherit(leftBehind);
      // Short lives are as frequent as long ones.
      int least =
          switch (kind) {
            case NIO_EVENT_LOOP, EVENT_EXECUTOR -> 1 << own.nextInt(15, 20);
            case PLAIN -> 1 << own.nextInt(9, 19);
            case VIRTUAL -> 1 << own.nextInt(7, 17);
          };
      operations = least + own.nextInt(least);
      executor = kind.newExecutor(1);
    }

    /** One task for each batch: in between, the thread has time for other tasks. */
    void step() {
      thread = Thread.currentThread();
      try {
        int batch = ending ? 0 : Math.min(BATCH, operations - done);
        if (batch > 0) {
          worker.operate(batch);
          done += batch;
          if (kind == ThreadKind.VIRTUAL) {
            Thread.yield(); // it would keep its carrier; others are to be interrupted anywhere
          }
          executor.execute(this::step);
          return;
        }
      } catch (Throwable t) {
        String name = Thread.currentThread().getName();
        failure.compareAndSet(null, new Outcome.Failure(toString(), name, t));
      }
      over.add(this);
    }

    /**
     * Waits for the thread's end, which is a little after its executor's.
     *
     * @throws SoakFailure if it does not end
     */
    void close() throws InterruptedException {
      Thread last = thread;
      boolean ends = ThreadKind.close(executor);
      if (ends && last != null) {
        last.join(PATIENCE.toMillis());
      }
      lives.remove(this);
      if (!ends || last != null && last.isAlive()) {
        throw Standstill.stuck(this + " did not end", PATIENCE);
      }
    }

    @Override
    public String toString() {
      return "%s in life %d, %s, after %,d to %,d of its %,d operations"
          .formatted(
              worker.current, number, kind, done, Math.min(operations, done + BATCH), operations);
    }
  }

  Lives(Traffic traffic, long seed) {
    this.traffic = traffic;
    random = new SplittableRandom(seed);
  }

  void start(int threadsOfAKind) {
    for (ThreadKind kind : ThreadKind.available()) {
      for (int i = 0; i < threadsOfAKind; i++) {
        start(kind);
      }
    }
  }

  private void start(ThreadKind kind) {
    Life life = new Life(kind, random.split());
    lives.add(life);
    working.add(life);
    life.executor.execute(life::step);
  }

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
      ended.close();
      start(ended.kind);
    }
  }

  private @Nullable Life takeEnded(long nanos) throws InterruptedException {
    Life ended = over.poll(nanos, TimeUnit.NANOSECONDS);
    if (ended != null) {
      working.remove(ended);
      leftBehind.addAll(ended.worker.holdings);
      ended.worker.holdings.clear();
    }
    return ended;
  }

  /** Stops all threads for an inspection, also those that have nothing to do. */
  void pause(Standstill.Inspection inspection) throws InterruptedException {
    Standstill.during(lives.stream().map(life -> life.executor).toList(), STUCK, inspection);
  }

  /** Shows what all workers hold and have left. During a pause. */
  void forEachHolding(Consumer<Holding> action) {
    lives.forEach(life -> life.worker.holdings.forEach(action));
    leftBehind.forEach(action);
  }

  /** Ends all lives and waits for that. Event loops stay, idle. */
  void end() throws InterruptedException {
    working.forEach(life -> life.ending = true);
    while (!working.isEmpty()) {
      Life ended = takeEnded(STUCK.toNanos());
      if (ended == null) {
        throw Standstill.stuck(working.size() + " threads did not end", STUCK);
      }
      if (!ended.kind.isEventLoop()) {
        ended.close();
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
    SoakFailure first = null;
    for (Life life : List.copyOf(lives)) {
      try {
        life.close();
      } catch (SoakFailure e) {
        first = first != null ? first : e;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
