package io.github.mimalloc4j.microbench.harness;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueuesTest {

  /** As when the thread that it waits for has failed. */
  @Test
  void waitingEndsWhenTheThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> {
              for (int waits = 0; ; waits++) {
                Queues.await(waits);
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("interrupted");
  }
}
