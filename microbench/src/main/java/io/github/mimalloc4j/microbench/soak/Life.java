package io.github.mimalloc4j.microbench.soak;

/**
 * A worker on one thread, from its first operation to its last: it begins with buffers that others
 * left, and leaves live ones.
 */
final class Life {
  /** So many operations that an event loop's other tasks and the gate cost little beside them. */
  private static final int BATCH = 256;

  private final int number;
  private final ThreadKind kind;
  private final Worker worker;
  private final int operations;
  private int done;

  Life(int number, ThreadKind kind, Worker worker, int operations) {
    this.number = number;
    this.kind = kind;
    this.worker = worker;
    this.operations = operations;
  }

  ThreadKind kind() {
    return kind;
  }

  Worker worker() {
    return worker;
  }

  /** Does the next operations; false if there are none. */
  boolean step() {
    if (done == operations) {
      return false;
    }
    if (done == 0) {
      worker.inherit();
    }
    int batch = Math.min(BATCH, operations - done);
    worker.operate(batch);
    done += batch;
    return true;
  }

  void end() {
    worker.leave();
  }

  /** For a report. */
  @Override
  public String toString() {
    return "%s in life %d, %s, after %,d to %,d of its %,d operations"
        .formatted(
            worker.current(), number, kind, done, Math.min(operations, done + BATCH), operations);
  }
}
