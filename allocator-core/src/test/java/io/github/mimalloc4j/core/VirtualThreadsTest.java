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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads share heaps and carriers. */
@EnabledForJreRange(min = JRE.JAVA_21)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class VirtualThreadsTest {

  private static final int SHARED_HEAPS = 1;

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
  private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

  @AfterEach
  void leaveSource() {
    leaveSource.countDown();
  }

  /** All carriers are busy with threads that wait for one that has no carrier. */
  @Test
  void whoeverWaitsForASharedHeapLetsItsHolderGoOn() throws Exception {
    holdSharedHeap();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      start(() -> allocator.allocateShared(100));
    }
    assertAllEnd();
    assertThat(thrown).isEmpty();
  }

  @Test
  void whoeverClosesLetsTheHolderOfASharedHeapGoOn() throws Exception {
    holdSharedHeap();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      start(allocator::close);
    }
    assertAllEnd();
    assertThat(thrown)
        .allSatisfy(
            each ->
                assertThat(each)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The allocator is closed."));
  }

  /** A virtual thread has the heap, and waits for the pool, which a platform thread has. */
  private void holdSharedHeap() throws Exception {
    Runnable allocate = () -> allocator.acquire(new ManualUpkeep()).allocate(100);
    Thread platform = new Thread(() -> run(allocate));
    threads.add(platform);
    platform.start();
    await().until(() -> inSource.getCount() == 0);
    Thread holder = start(() -> allocator.allocateShared(100));
    await().until(() -> holder.getState() == Thread.State.WAITING);
  }

  private void assertAllEnd() throws Exception {
    await().until(() -> begun.get() > Runtime.getRuntime().availableProcessors());
    Thread.sleep(100); // for them to take all carriers
    leaveSource.countDown();
    await().until(() -> threads.stream().noneMatch(Thread::isAlive));
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1)); // a machine may be busy
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

  /** And keeps what it throws, which otherwise would end its thread alone. */
  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) {
      thrown.add(t);
    }
  }

  private Thread start(Runnable task) throws ReflectiveOperationException {
    Runnable counted =
        () -> {
          begun.incrementAndGet();
          run(task);
        };
    Thread thread =
        (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, counted);
    threads.add(thread);
    return thread;
  }
}
