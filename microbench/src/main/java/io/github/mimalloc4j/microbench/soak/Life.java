package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A thread from its first operation to its last, and the worker on it. */
final class Life {
  /** So many operations that the thread's other tasks cost little beside them. */
  private static final int BATCH = 256;

  private static final int JOIN_SECONDS = 20;

  private final int number;
  private final ThreadKind kind;
  private final Worker worker;
  private final int operations;
  private final ExecutorService executor;
  private volatile @Nullable Thread thread;
  private volatile boolean ending;
  private int done;

  Life(int number, ThreadKind kind, Worker worker, SplittableRandom random) {
    this.number = number;
    this.kind = kind;
    this.worker = worker;
    operations = drawOperations(kind, random);
    executor = kind.newExecutor(1);
  }

  /** Short lives are as frequent as long ones. */
  private static int drawOperations(ThreadKind kind, SplittableRandom random) {
    int least =
        switch (kind) {
          case NIO_EVENT_LOOP, EVENT_EXECUTOR -> 1 << random.nextInt(15, 20);
          case PLAIN -> 1 << random.nextInt(9, 19);
          case VIRTUAL -> 1 << random.nextInt(7, 17);
        };
    return least + random.nextInt(least);
  }

  ThreadKind kind() {
    return kind;
  }

  Worker worker() {
    return worker;
  }

  /** Where tasks for the thread go. */
  ExecutorService executor() {
    return executor;
  }

  /**
   * Begins.
   *
   * @param whenOver is told of the end, on this thread: with what went wrong, or with null
   */
  void start(BiConsumer<Life, @Nullable Throwable> whenOver) {
    executor.execute(() -> step(whenOver));
  }

  /** One task for each batch: in between, the thread has time for other tasks. */
  private void step(BiConsumer<Life, @Nullable Throwable> whenOver) {
    thread = Thread.currentThread();
    try {
      int batch = ending ? 0 : Math.min(BATCH, operations - done);
      if (batch > 0) {
        worker.operate(batch);
        done += batch;
        if (kind == ThreadKind.VIRTUAL) {
          Thread.yield(); // it would keep its carrier; others are to be interrupted anywhere
        }
        executor.execute(() -> step(whenOver));
        return;
      }
    } catch (Throwable t) {
      whenOver.accept(this, t);
      return;
    }
    whenOver.accept(this, null);
  }

  /** Ends it early. */
  void end() {
    ending = true;
  }

  /**
   * Ends the thread and waits for that. An executor's end is a little before; a thread that is
   * stuck is given up, which is a daemon.
   */
  void close() throws InterruptedException {
    Thread last = thread;
    if (ThreadKind.close(executor) && last != null) {
      last.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
    }
  }

  /** For a report. */
  @Override
  public String toString() {
    return "%s in life %d, %s, after %,d to %,d of its %,d operations"
        .formatted(
            worker.current(), number, kind, done, Math.min(operations, done + BATCH), operations);
  }
}
