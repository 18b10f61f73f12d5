package io.github.mimalloc4j.netty.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An executor that ends just when another thread asks it to trim its heap. */
@Timeout(60)
class EndedOwnerTest {

  @Test
  void isFoundAndNothingIsLogged() throws Exception {
    CountDownLatch found = new CountDownLatch(1);
    EndingLoop loop = new EndingLoop();
    OwnerUpkeep upkeep = loop.submit(() -> new OwnerUpkeep(loop, () -> {}, found::countDown)).get();
    try (AllocatorLog log =
        new AllocatorLog("io.netty.util.concurrent.DefaultPromise.rejectedExecution")) {
      upkeep.execute(() -> {}, 0);
      found.await();
      assertThat(log.records()).isEmpty();
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
