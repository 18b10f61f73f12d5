package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UpkeepTest {

  private final ManualUpkeep executor = new ManualUpkeep();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final Upkeep upkeep = upkeep(1000);

  @Test
  void isRunOnceForAllWhoAskedMeanwhile() {
    for (int i = 0; i < 10; i++) {
      upkeep.request();
    }
    assertThat(executor.size()).isOne();
    executor.runAll();
    assertThat(runs).hasValue(1);
    assertThat(upkeep.isRequested()).isFalse();
  }

  @Test
  void isRunAgainForWhoAsksLater() {
    upkeep.request();
    executor.runAll();
    upkeep.request();
    executor.runAll();
    assertThat(runs).hasValue(2);
  }

  /** What the task does may be a reason for another run. */
  @Test
  void mayAskForItselfWhileItRuns() {
    AtomicInteger left = new AtomicInteger(3);
    Upkeep[] again = new Upkeep[1];
    again[0] =
        new Upkeep(
            executor,
            1000,
            () -> {
              if (left.decrementAndGet() > 0) {
                again[0].request();
              }
            },
            () -> {});
    again[0].request();
    executor.runAll();
    assertThat(left).hasValue(0);
  }

  @Test
  void aRefusalIsToldAndTheNextRequestIsTriedAgain() {
    executor.refuses = true;
    upkeep.request();
    assertThat(refusals).hasValue(1);
    assertThat(upkeep.isRequested()).isFalse();
    executor.refuses = false;
    upkeep.request();
    executor.runAll();
    assertThat(runs).hasValue(1);
  }

  @Test
  void isNeverScheduledWithoutADelay() {
    Upkeep off = upkeep(0);
    off.request();
    assertThat(off.isActive()).isFalse();
    assertThat(executor.size()).isZero();
    off.requestNow();
    executor.runAll();
    assertThat(runs).hasValue(1);
  }

  @Test
  void runsAtOnceBesidesALaterRun() {
    upkeep.request();
    upkeep.requestNow();
    assertThat(executor.size()).isEqualTo(2);
    executor.runAll();
    assertThat(runs).hasValue(2);
  }

  private Upkeep upkeep(long delayMillis) {
    return new Upkeep(executor, delayMillis, runs::incrementAndGet, refusals::incrementAndGet);
  }
}
