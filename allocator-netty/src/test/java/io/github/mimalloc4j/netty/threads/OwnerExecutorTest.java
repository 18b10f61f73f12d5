package io.github.mimalloc4j.netty.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.UpkeepTask;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An executor that ends just when another thread asks it to trim its heap. */
@Timeout(60)
class OwnerExecutorTest {

  @Test
  void isFoundAndNothingIsLogged() throws Exception {
    CountDownLatch found = new CountDownLatch(1);
    EndingLoop loop = new EndingLoop();
    OwnerExecutor owner =
        loop.submit(() -> new OwnerExecutor(loop, () -> {}, found::countDown)).get();
    try (AllocatorLog log =
        new AllocatorLog("io.netty.util.concurrent.DefaultPromise.rejectedExecution")) {
      assertThatThrownBy(() -> owner.execute(() -> {}, 0))
          .isInstanceOf(RejectedExecutionException.class);
      found.await();
      assertThat(log.records()).isEmpty();
    }
  }

  /** Its thread may live on, as one may that drove an event loop, and would wait for the task. */
  @Test
  void tellsATaskThatItIsCancelled() throws Exception {
    DefaultEventLoop loop = new DefaultEventLoop();
    OwnerExecutor owner = loop.submit(() -> new OwnerExecutor(loop, () -> {}, () -> {})).get();
    CountDownLatch cancelled = new CountDownLatch(1);
    owner.execute(
        new UpkeepTask() {
          @Override
          public void run() {
            throw new AssertionError("it is due in an hour");
          }

          @Override
          public void cancelled() {
            cancelled.countDown();
          }
        },
        3_600_000);
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    cancelled.await();
  }

  /** A refusal is final only once somebody looks for the end, or nobody ever would. */
  @Test
  void isLookedForIfTheExecutorRefusesWhileItBeginsToEnd() throws Exception {
    CountDownLatch found = new CountDownLatch(1);
    RefusingLoop loop = new RefusingLoop();
    OwnerExecutor owner =
        loop.submit(() -> new OwnerExecutor(loop, () -> {}, found::countDown)).get();
    assertThatThrownBy(() -> owner.execute(() -> {}, 0))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(owner.isEnding()).isFalse();
    assertThatThrownBy(() -> owner.execute(() -> {}, 0))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(owner.isEnding()).isTrue();
    found.await();
  }

  /** As one that ran an executor for a while, and goes on with something else. */
  @Test
  void aThreadThatLivesOnIsNotLookedForForEver() throws Exception {
    CountDownLatch givenUp = new CountDownLatch(1);
    UnableLoop loop = new UnableLoop();
    OwnerExecutor owner = new OwnerExecutor(loop, () -> {}, givenUp::countDown, 1, 3);
    assertThatThrownBy(() -> owner.execute(() -> {}, 0))
        .isInstanceOf(UnsupportedOperationException.class);
    givenUp.await();
    assertThat(owner.isEnding()).isFalse();
  }

  private static final class UnableLoop extends DefaultEventLoop {
    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      throw new UnsupportedOperationException("planted");
    }
  }

  private static final class RefusingLoop extends DefaultEventLoop {
    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new RejectedExecutionException();
    }
  }

  /** Has cancelled the task, and is gone, before the caller has the future. */
  private static final class EndingLoop extends DefaultEventLoop {
    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
      ScheduledFuture<?> future = super.schedule(command, 60, TimeUnit.SECONDS);
      shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
      return future;
    }
  }
}
