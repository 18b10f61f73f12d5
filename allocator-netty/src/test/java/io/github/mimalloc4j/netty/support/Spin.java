package io.github.mimalloc4j.netty.support;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for another thread without sleep, so that the two are at work at the same time. */
public final class Spin {

  private Spin() {}

  /** Fails after a minute: the other thread has failed. Allocates nothing before. */
  public static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    for (int spins = 1; !condition.getAsBoolean(); spins++) {
      if (spins % 50 != 0) {
        Thread.onSpinWait();
      } else if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("what another thread is to do has not come");
      } else {
        Thread.yield(); // there may be one core only
      }
    }
  }
}
