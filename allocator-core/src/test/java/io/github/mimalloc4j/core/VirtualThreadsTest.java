package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.ManualUpkeep;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.TestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads share heaps and carriers. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {

  private static final int SHARED_HEAPS = 1;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final CountDownLatch inSource = new CountDownLatch(1);
  private final CountDownLatch leaveSource = new CountDownLatch(1);
  private final BlockAllocator<TestBlock> allocator =
      new BlockAllocator<>(
          this::slowly,
          MemoryPolicy.DEFAULT,
          SHARED_HEAPS,
          TestBlock::new,
          new ManualUpkeep(),
          releases -> {});
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger begun = new AtomicInteger();

  /** All carriers are busy with threads that wait for one that has no carrier. */
  @Test
  void whoeverWaitsForASharedHeapLetsItsHolderGoOn() throws Exception {
    holdSharedHeap();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      start(() -> allocator.allocateShared(100));
    }
    assertAllEnd();
  }

  @Test
  void whoeverClosesLetsTheHolderOfASharedHeapGoOn() throws Exception {
    holdSharedHeap();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      start(allocator::close);
    }
    assertAllEnd();
  }

  /** A virtual thread has the heap, and waits for the pool, which a platform thread has. */
  private void holdSharedHeap() throws Exception {
    Thread platform = new Thread(() -> allocator.acquire(new ManualUpkeep()).allocate(100));
    platform.start();
    inSource.await();
    Thread holder = start(() -> allocator.allocateShared(100));
    Awaitility.await().until(() -> holder.getState() == Thread.State.WAITING);
  }

  private void assertAllEnd() throws Exception {
    Awaitility.await().until(() -> begun.get() > Runtime.getRuntime().availableProcessors());
    Thread.sleep(100); // for them to take all carriers
    leaveSource.countDown();
    for (Thread thread : threads) {
      thread.join(PATIENCE.toMillis());
      assertThat(thread.isAlive()).as("waits").isFalse();
    }
  }

  private Memory slowly(int bytes) {
    inSource.countDown();
    try {
      leaveSource.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return new TestSource().allocate(bytes);
  }

  private Thread start(Runnable task) throws ReflectiveOperationException {
    Runnable counted =
        () -> {
          begun.incrementAndGet();
          task.run();
        };
    Thread thread =
        (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, counted);
    threads.add(thread);
    return thread;
  }
}
