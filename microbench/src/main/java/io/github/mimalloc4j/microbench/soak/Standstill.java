package io.github.mimalloc4j.microbench.soak;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops all threads, so that one can look at what they share. */
final class Standstill {
  private Standstill() {}

  @FunctionalInterface
  interface Inspection {
    void run() throws InterruptedException;
  }

  /**
   * Has each thread wait in a task of its own until the inspection is over. What a thread did
   * before its task happens-before the inspection, and that before what the thread does next. There
   * is an executor for each thread. One that does not come to its task within the patience, for
   * what it is in may take for ever, is a {@link SoakFailure} with all stacks.
   */
  static void during(
      Collection<? extends Executor> threads, Duration patience, Inspection inspection)
      throws InterruptedException {
    Phaser phaser = new Phaser(threads.size() + 1);
    Runnable stop = () -> phaser.awaitAdvance(phaser.arriveAndAwaitAdvance());
    try {
      threads.forEach(thread -> thread.execute(stop));
      phaser.awaitAdvanceInterruptibly(phaser.arrive(), patience.toNanos(), TimeUnit.NANOSECONDS);
      inspection.run();
    } catch (TimeoutException e) {
      throw stuck(
          "%d of %d threads did not stop".formatted(phaser.getUnarrivedParties(), threads.size()),
          patience);
    } finally {
      phaser.forceTermination(); // lets all go on, and those that have not arrived pass
    }
  }

  /** Says what all threads are at. */
  static SoakFailure stuck(String what, Duration patience) {
    StringBuilder text = new StringBuilder(what).append(" within ").append(patience);
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              text.append("\n  ").append(thread);
              for (StackTraceElement frame : frames) {
                text.append("\n      ").append(frame);
              }
            });
    return new SoakFailure(text.toString());
  }
}
