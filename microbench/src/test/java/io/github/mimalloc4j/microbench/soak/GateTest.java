package io.github.mimalloc4j.microbench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GateTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final Gate gate = new Gate();

  /** Pauses that follow each other at once find threads that have not woken from the last one. */
  @Test
  void nothingMovesWhileItIsClosed() throws Exception {
    AtomicLong steps = new AtomicLong();
    AtomicBoolean ended = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      gate.enter();
      threads.add(
          new Thread(
              () -> {
                while (!ended.get()) {
                  gate.pass();
                  steps.incrementAndGet();
                }
                gate.leave();
              }));
    }
    threads.forEach(Thread::start);
    for (int pause = 0; pause < 2000; pause++) {
      gate.close();
      assertThat(gate.awaitStopped(LONG)).isTrue();
      long before = steps.get();
      Thread.yield();
      assertThat(steps).hasValue(before);
      gate.open();
    }
    ended.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(steps).hasPositiveValue();
    assertThat(gate.missing()).isEqualTo("0 of 0");
  }

  /** As an event loop does, which the earlier task would keep from the later one. */
  @Test
  void whoWaitsGoesOnWhenItWasOpenedThoughItIsClosedAgain() throws Exception {
    gate.enter();
    gate.close();
    Thread thread =
        new Thread(
            () -> {
              gate.pass();
              gate.leave();
            });
    thread.start();
    assertThat(gate.awaitStopped(LONG)).isTrue();

    gate.open();
    gate.close();

    await().until(() -> !thread.isAlive());
    gate.open();
  }

  @Test
  void aThreadThatDoesNotStopIsMissed() throws Exception {
    gate.enter();
    gate.close();

    assertThat(gate.awaitStopped(SHORT)).isFalse();
    assertThat(gate.missing()).isEqualTo("1 of 1");
    gate.leave();
    assertThat(gate.awaitStopped(SHORT)).isTrue();
  }
}
