package io.github.mimalloc4j.microbench.compare;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keeps the comparison within its time: where JVMs start slowly, forks measure for less time, down
 * to a least one below which a figure would mean nothing. The warm-up is never cut.
 */
final class Pace {
  /** On a quiet machine the code of every allocator was seen to settle in half of this time. */
  static final Duration WARMUP = Duration.ofSeconds(1);

  static final Duration LONGEST = Duration.ofMillis(1200);
  static final Duration SHORTEST = Duration.ofMillis(300);

  /** 36 forks, three rounds of the usual rows, then take two minutes. */
  private static final Duration PER_FORK = Duration.ofMillis(3300);

  /** What a fork costs besides, until the first ones have told. */
  private static final Duration FIRST_GUESS = Duration.ofMillis(900);

  private final int forks;
  private final LongSupplier nanoClock;
  private final long start;
  private int ended;
  private long plannedNanos;
  private Duration measurement = LONGEST;

  Pace(int forks) {
    this(forks, System::nanoTime);
  }

  Pace(int forks, LongSupplier nanoClock) {
    this.forks = forks;
    this.nanoClock = nanoClock;
    this.start = nanoClock.getAsLong();
  }

  /** How long each of the next forks is to measure. */
  Duration nextMeasurement() {
    long perFork = PER_FORK.multipliedBy(forks).minus(elapsed()).toNanos() / Math.max(1, left());
    long affordable = perFork - WARMUP.toNanos() - overheadNanos();
    measurement =
        Duration.ofNanos(Math.max(SHORTEST.toNanos(), Math.min(LONGEST.toNanos(), affordable)));
    return measurement;
  }

  /** Says that a fork of the length last asked for is over. */
  void forkEnded() {
    ended++;
    plannedNanos += WARMUP.plus(measurement).toNanos();
  }

  /** A guess from the forks so far. */
  Duration timeLeft() {
    return WARMUP.plus(measurement).plusNanos(overheadNanos()).multipliedBy(left());
  }

  Duration elapsed() {
    return Duration.ofNanos(nanoClock.getAsLong() - start);
  }

  private int left() {
    return forks - ended;
  }

  private long overheadNanos() {
    return ended == 0 ? FIRST_GUESS.toNanos() : (elapsed().toNanos() - plannedNanos) / ended;
  }
}
