package io.github.mimalloc4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An upkeep that throws is a mistake of ours: it shows, and ends no other upkeep. */
@Timeout(60)
class UpkeepFailureTest {

  private static final Logger LOGGER = Logger.getLogger(MiMallocByteBufAllocator.class.getName());

  private final List<Throwable> logged = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(entry.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final IllegalStateException mistake = new IllegalStateException("planted");

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void listenNoMore() {
    LOGGER.setUseParentHandlers(true);
    LOGGER.removeHandler(handler);
  }

  @Test
  void onTheUpkeepThread() throws Exception {
    CountDownLatch next = new CountDownLatch(1);
    UpkeepThread.execute(this::fail, 0);
    UpkeepThread.execute(next::countDown, 0);
    next.await();
    assertThat(logged).containsExactly(mistake);
  }

  @Test
  void onTheOwner() throws Exception {
    EventExecutor loop = new DefaultEventLoop();
    CountDownLatch next = new CountDownLatch(1);
    loop.execute(() -> new OwnerUpkeep(loop, next::countDown, () -> {}).execute(this::fail, 0));
    next.await();
    assertThat(logged).containsExactly(mistake);
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
  }

  private void fail() {
    throw mistake;
  }
}
