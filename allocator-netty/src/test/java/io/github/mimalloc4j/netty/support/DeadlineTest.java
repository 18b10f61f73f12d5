package io.github.mimalloc4j.netty.support;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlineTest {

  private static Deadline soon() {
    return new Deadline(TimeUnit.MILLISECONDS.toNanos(20));
  }

  @Test
  void aThreadThatDoesNotEndIsNamed() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread thread =
        ThreadKind.PLAIN.launch(
            () -> {
              try {
                mayEnd.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    try {
      Patience.await().until(() -> thread.getState() == Thread.State.WAITING);
      assertThatThrownBy(() -> soon().join(thread))
          .isInstanceOf(AssertionError.class)
          .hasMessage("has not ended: " + thread)
          .hasStackTraceContaining("CountDownLatch.await");
    } finally {
      mayEnd.countDown();
    }
    new Deadline().join(thread);
  }

  @Test
  void anExecutorThatDoesNotEndIsNamed() {
    Promise<Void> end = ImmediateEventExecutor.INSTANCE.newPromise();
    assertThatThrownBy(() -> soon().awaitEnd(end, "this one"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("has not ended: this one");
    end.setFailure(new IllegalStateException("planted"));
    assertThatThrownBy(() -> new Deadline().awaitEnd(end, "this one")).hasMessage("planted");
  }

  @Test
  void workThatDoesNotEndIsNamed() {
    CompletableFuture<Void> end = new CompletableFuture<>();
    assertThatThrownBy(() -> soon().awaitEnd(end, "this work"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("has not ended: this work");
    end.completeExceptionally(new IllegalStateException("planted"));
    assertThatThrownBy(() -> new Deadline().awaitEnd(end, "this work"))
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("planted");
  }
}
