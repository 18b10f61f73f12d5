package io.github.mimalloc4j.netty.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The executor of upkeep where no thread can be started. */
class UpkeepThreadTest {

  private final AtomicBoolean full = new AtomicBoolean(true);

  private final ScheduledThreadPoolExecutor executor =
      UpkeepThread.newExecutor(
          work -> {
            if (full.get()) {
              throw new OutOfMemoryError("planted: unable to create native thread");
            }
            return new Thread(work);
          });

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  @Test
  void whatCannotBeRunIsNotKept() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    for (int i = 0; i < 1000; i++) {
      assertThatThrownBy(() -> UpkeepThread.execute(executor, runs::incrementAndGet, 0))
          .isInstanceOf(OutOfMemoryError.class);
    }
    assertThat(executor.getQueue()).isEmpty();
    full.set(false);
    CountDownLatch ran = new CountDownLatch(1);
    UpkeepThread.execute(executor, ran::countDown, 0);
    assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(runs).hasValue(0);
  }
}
