package io.github.mimalloc4j.microbench.soak;

import static io.github.mimalloc4j.microbench.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class StandstillTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofSeconds(10);

  private final List<ExecutorService> threads = new ArrayList<>();
  private final AtomicLong steps = new AtomicLong();
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Two threads of each kind, each of which has its next task in its queue all the time. */
  @BeforeEach
  void start() {
    for (ThreadKind kind : ThreadKind.available()) {
      for (int i = 0; i < 2; i++) {
        ExecutorService thread = kind.newExecutor(1);
        threads.add(thread);
        thread.execute(() -> step(thread));
      }
    }
  }

  private void step(ExecutorService thread) {
    steps.incrementAndGet();
    if (!ended.get()) {
      Thread.yield();
      thread.execute(() -> step(thread));
    }
  }

  @AfterEach
  void end() throws Exception {
    ended.set(true);
    Standstill.during(threads, LONG, () -> {}); // after this, no step has another follow
    for (ExecutorService thread : threads) {
      assertThat(ThreadKind.close(thread)).isTrue();
    }
  }

  /** Pauses that follow each other at once find threads that have not woken from the last one. */
  @Test
  void nothingMovesDuringAnInspection() throws Exception {
    for (int pause = 0; pause < 2000; pause++) {
      AtomicBoolean inspected = new AtomicBoolean();
      Standstill.during(
          threads,
          LONG,
          () -> {
            long before = steps.get();
            Thread.yield();
            assertThat(steps).hasValue(before);
            inspected.set(true);
          });
      assertThat(inspected).isTrue();
    }
    long seen = steps.get();
    await().until(() -> steps.get() > seen);
  }

  @Test
  void aThreadThatDoesNotStopIsNamedAndTheOthersGoOn() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch stuck = new CountDownLatch(1);
    threads
        .get(0)
        .execute(
            () -> {
              reached.countDown();
              awaitWithoutEnd(stuck);
            });
    reached.await();

    assertThatThrownBy(
            () ->
                Standstill.during(
                    threads,
                    SHORT,
                    () -> {
                      throw new AssertionError("inspected");
                    }))
        .isInstanceOf(SoakFailure.class)
        .hasMessageContaining("1 of " + threads.size() + " threads did not stop")
        .hasMessageContaining("awaitWithoutEnd");

    long seen = steps.get();
    await().until(() -> steps.get() > seen);
    stuck.countDown();
  }

  private static void awaitWithoutEnd(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
