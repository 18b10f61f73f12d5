package io.github.mimalloc4j.microbench.harness;

/**
 * How a thread waits for another one: it spins for a while, then lets others have the processor.
 */
public final class Waiting {
  /** Long enough for a partner that runs; short enough where there are more threads than cores. */
  private static final int SPINS = 64;

  private Waiting() {}

  /**
   * Waits a little.
   *
   * @param before how many times the caller has waited for the same thing
   */
  public static void once(int before) {
    if (before < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
