package io.github.mimalloc4j.microbench.harness;

import io.netty.util.internal.PlatformDependent;
import java.util.Queue;
import org.jctools.queues.MpmcArrayQueue;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;

/** How buffers go from thread to thread. */
public final class Queues {
  /** Long enough for a partner that runs; short enough where there are more threads than cores. */
  private static final int SPINS = 64;

  private Queues() {}

  /** A bounded queue for any threads, without Unsafe where Netty is without it, too. */
  public static <T> Queue<T> bounded(int capacity) {
    return PlatformDependent.hasUnsafe()
        ? new MpmcArrayQueue<>(capacity)
        : new MpmcAtomicArrayQueue<>(capacity);
  }

  /**
   * Waits a little for the other side, for which the caller has waited so many times before.
   *
   * @throws IllegalStateException if the thread is interrupted: the other side may have failed
   */
  public static void await(int before) {
    if (before < SPINS) {
      Thread.onSpinWait();
    } else {
      if (Thread.interrupted()) {
        throw new IllegalStateException("interrupted while waiting for another thread");
      }
      Thread.yield();
    }
  }
}
