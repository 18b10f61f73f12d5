package io.github.mimalloc4j.microbench.soak;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stops all threads, so that one can look at what they share. What a thread did before it stopped
 * happens-before what is done while the gate is closed, and that before what the thread does next.
 *
 * <p>One thread closes and opens; it is also the only one that lets others enter. A lock and not a
 * monitor, in which virtual threads would keep their carriers.
 */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private volatile boolean closed;

  /** Threads that have entered and not left; of them, those that wait. Under the lock. */
  private int inside;

  private int waiting;

  /** How often it was opened. Under the lock. */
  private long openings;

  /** Counts a thread that is going to be started. Not while the gate is closed and awaited. */
  void enter() {
    lock.lock();
    try {
      inside++;
    } finally {
      lock.unlock();
    }
  }

  /** The thread will not pass any more. */
  void leave() {
    lock.lock();
    try {
      inside--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits while the gate is closed. To be called by each thread often. */
  void pass() {
    if (!closed) {
      return;
    }
    lock.lock();
    try {
      if (!closed) {
        return;
      }
      waiting++;
      changed.signalAll();
      // Not until it is open: it may be closed again before this thread has woken.
      for (long before = openings; openings == before; ) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  void close() {
    closed = true;
  }

  /** Waits until each thread has stopped or left; false if that takes too long. */
  boolean awaitStopped(Duration atMost) throws InterruptedException {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (waiting < inside) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How many threads have not stopped, of how many: for a report. */
  String missing() {
    lock.lock();
    try {
      return (inside - waiting) + " of " + inside;
    } finally {
      lock.unlock();
    }
  }

  void open() {
    lock.lock();
    try {
      closed = false;
      waiting = 0;
      openings++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
