package io.github.mimalloc4j.microbench.latency;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Guesses the time left, from the time that the part took which is done. */
final class Estimate {
  /** Below this part the guess would be wild: start-up is all that has been seen. */
  private static final double LEAST = 0.001;

  private final Duration firstGuess;
  private final LongSupplier nanoClock;
  private final long start;

  /** Begins; the guess stands until a part is done. */
  Estimate(Duration firstGuess) {
    this(firstGuess, System::nanoTime);
  }

  Estimate(Duration firstGuess, LongSupplier nanoClock) {
    this.firstGuess = firstGuess;
    this.nanoClock = nanoClock;
    this.start = nanoClock.getAsLong();
  }

  /**
   * Guesses.
   *
   * @param done the part that is done, from 0 to 1
   */
  Duration timeLeft(double done) {
    double part = Math.min(1, done);
    return part < LEAST
        ? firstGuess
        : Duration.ofNanos((long) ((nanoClock.getAsLong() - start) * (1 - part) / part));
  }
}
