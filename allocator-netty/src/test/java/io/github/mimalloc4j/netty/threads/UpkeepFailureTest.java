package io.github.mimalloc4j.netty.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An upkeep that throws is a mistake of ours: it shows, and ends no other upkeep. */
@Timeout(60)
class UpkeepFailureTest {

  private final AllocatorLog log = new AllocatorLog();
  private final IllegalStateException mistake = new IllegalStateException("planted");

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  void onTheUpkeepThread() throws Exception {
    CountDownLatch next = new CountDownLatch(1);
    UpkeepThread.execute(this::fail, 0);
    UpkeepThread.execute(next::countDown, 0);
    next.await();
    assertThat(log.records()).extracting(LogRecord::getThrown).containsExactly(mistake);
  }

  @Test
  void onTheOwner() throws Exception {
    int before = log.records().size();
    EventExecutor loop = new DefaultEventLoop();
    CountDownLatch next = new CountDownLatch(1);
    loop.execute(() -> new OwnerExecutor(loop, next::countDown, () -> {}).execute(this::fail, 0));
    next.await();
    assertThat(log.records())
        .hasSizeGreaterThan(before)
        .extracting(LogRecord::getThrown)
        .containsOnly(mistake);
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
  }

  /** An appender that throws, too, keeps nobody from leaving the heap of a closed allocator. */
  @Test
  void anAppenderThatThrowsEndsNothing() throws Exception {
    try (AllocatorLog throwing =
        new AllocatorLog() {
          @Override
          public void publish(LogRecord entry) {
            throw new AssertionError("planted");
          }
        }) {
      onTheUpkeepThread();
      onTheOwner();
    }
  }

  @Test
  void testsThatLookForItFail() throws Exception {
    UpkeepFailures failures = new UpkeepFailures();
    failures.beforeEach(null);
    onTheUpkeepThread();
    assertThatThrownBy(() -> failures.afterEach(null))
        .isInstanceOf(AssertionError.class)
        .hasCause(mistake);

    failures.beforeEach(null);
    onTheOwner();
    assertThatThrownBy(() -> failures.afterEach(null))
        .isInstanceOf(AssertionError.class)
        .hasCause(mistake);

    failures.beforeEach(null);
    onTheHeapOfTheSystem();
    assertThatThrownBy(() -> failures.afterEach(null))
        .isInstanceOf(AssertionError.class)
        .hasCause(mistake);

    failures.beforeEach(null);
    failures.afterEach(null); // of the earlier ones nothing is left
  }

  private void onTheHeapOfTheSystem() {
    ArenaTops tops = new ArenaTops();
    tops.hold(
        new FreedMemory() {
          @Override
          public int bytes() {
            return 1;
          }

          @Override
          public long address() {
            return 0;
          }

          @Override
          public void freeNow() {
            fail();
          }
        });
    tops.release();
  }

  private void fail() {
    throw mistake;
  }
}
