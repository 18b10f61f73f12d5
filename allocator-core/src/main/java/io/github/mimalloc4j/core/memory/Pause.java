package io.github.mimalloc4j.core.memory;

import java.util.concurrent.locks.LockSupport;

/**
 * What a thread does before it retries an operation that another thread blocks.
 *
 * <p>First it spins: the other thread is between two instructions, on another processor. Then it
 * yields: the other thread has lost its processor. If that does not help, the other thread is
 * itself waiting, for example in the memory source, and may be a virtual thread that needs a
 * carrier to continue. A virtual thread that yields does not always free a carrier for it: on JDK
 * 25 the carrier returns to the same thread, for ever, while other threads, which a platform thread
 * has woken, keep waiting. So then it sleeps.
 */
public final class Pause {

  /** How often a thread spins. */
  private static final int SPINS = 8;

  /** How often a thread yields after that. */
  private static final int YIELDS = 64;

  /** How often a thread can pause {@linkplain #after again and again} before it first sleeps. */
  public static final int BEFORE_SLEEP = SPINS + YIELDS;

  /** The length of a spin in hints to the processor, about that of an allocation. */
  private static final int SPIN_HINTS = 20;

  private static final long SLEEP_NANOS = 100_000;

  private Pause() {}

  /** Initializes the class. */
  public static void initialize() {}

  /** Gives a thread on another processor the time of some instructions. */
  public static void spin() {
    Thread.onSpinWait();
  }

  /**
   * Lets other threads continue.
   *
   * @param earlier how often the caller has paused before
   */
  public static void after(int earlier) {
    if (earlier < SPINS) {
      for (int i = 0; i < SPIN_HINTS; i++) {
        spin();
      }
    } else if (earlier < BEFORE_SLEEP) {
      Thread.yield();
    } else {
      sleep();
    }
  }

  /** Sleeps for a tenth of a millisecond. */
  public static void sleep() {
    boolean interrupted = Thread.interrupted(); // an interrupted thread would not sleep
    LockSupport.parkNanos(SLEEP_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
