package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.memory.Burst;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.RefusingExecutor;
import io.github.mimalloc4j.netty.support.RefusingExecutor.Kind;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.ThrowingThreadLocals;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads whose executors refuse what upkeep asks for, in every way. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class RefusingExecutorsTest {

  private static final int MIB = 1 << 20;

  /** What a heap keeps while its owner is busy, and a little more. */
  private static final int KEPT_BYTES = 6 * MIB;

  /** One to find out whether the executor is one to own a heap with, and one for its first task. */
  private static final int EXCEPTIONS_OF_A_HEAP = 2;

  private final MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theThreadOwnsAHeap(Kind kind) {
    new RefusingExecutor(kind)
        .run(
            () -> {
              for (boolean direct : new boolean[] {true, false}) {
                ByteBuf buffer = direct ? allocator.directBuffer(100) : allocator.heapBuffer(100);
                assertThat(((MiMallocByteBuf) buffer).page().heap().isOwner(Thread.currentThread()))
                    .isTrue();
                buffer.release();
              }
              return null;
            });
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** Pages come and go all the time: each is a reason for upkeep. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"REJECTS_ALL"},
      mode = EnumSource.Mode.EXCLUDE)
  void anExecutorThatCannotIsAskedOnceForEachHeap(Kind kind) {
    RefusingExecutor executor = new RefusingExecutor(kind);
    executor.run(this::replaceManyBuffers);
    assertThat(executor.exceptions()).isBetween(1, EXCEPTIONS_OF_A_HEAP);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** It may accept later: it is asked again, but not by allocations and releases. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"REJECTS_ALL"})
  void anExecutorThatRejectsIsAskedOnceInADelayAtMost(Kind kind) {
    RefusingExecutor executor = new RefusingExecutor(kind);
    long start = System.nanoTime();
    executor.run(this::replaceManyBuffers);
    int exceptions = executor.exceptions(); // first: it is asked again as time goes on
    long delays = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) / Idle.TRIM_DELAY_MILLIS;
    // Once for each delay, and twice if the owner asks just while it is asked again.
    assertThat(exceptions).isBetween(1, EXCEPTIONS_OF_A_HEAP + 2 * (int) delays);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  private Void replaceManyBuffers() {
    Random random = new Random(1);
    ByteBuf[] live = new ByteBuf[1024];
    for (int n = 0; n < 200_000; n++) {
      int slot = random.nextInt(live.length);
      if (live[slot] != null) {
        live[slot].release();
      }
      live[slot] = allocator.directBuffer(1 + random.nextInt(n / 20_000 % 2 == 0 ? 200 : 20_000));
    }
    for (ByteBuf buffer : live) {
      if (buffer != null) {
        buffer.release();
      }
    }
    return null;
  }

  /** Nobody else may, and nobody can have it do so. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void theThreadTrimsItsHeapWhenItLooksForAPage(Kind kind) throws Exception {
    List<ByteBuf> live = new ArrayList<>();
    InTwoSteps thread =
        new InTwoSteps(
            kind,
            () -> live.addAll(Burst.live(allocator, true, 16 * MIB, 1)),
            () -> {
              List<ByteBuf> others = new ArrayList<>();
              long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
              while (allocator.metric().usedDirectMemory() > KEPT_BYTES
                  && System.nanoTime() < deadline) {
                for (int n = 0; n < 4; n++) { // new pages
                  others.add(allocator.directBuffer(40_000));
                }
                others.forEach(ByteBuf::release);
                others.clear();
                Thread.sleep(1);
              }
              // Here, for its end would give back what it did not.
              assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(KEPT_BYTES);
              return null;
            });
    live.forEach(ByteBuf::release);
    thread.goOn();
    thread.running.end();
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** It cannot be told, and leaves when it next looks for a page. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void theThreadLeavesAClosedAllocator(Kind kind) throws Exception {
    List<ByteBuf> live = new ArrayList<>();
    InTwoSteps thread =
        new InTwoSteps(
            kind,
            () -> {
              live.add(allocator.directBuffer(100));
              replaceBatch();
              return null;
            },
            () -> {
              assertThatThrownBy(this::replaceBatchesForAMinute)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("closed");
              live.forEach(ByteBuf::release);
              Idle.awaitUsed(allocator, 0); // while the thread lives
              return null;
            });
    allocator.close();
    thread.goOn();
    thread.running.end();
    assertNothingHeld(allocator);
  }

  private void replaceBatchesForAMinute() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (System.nanoTime() < deadline) {
      replaceBatch();
      Thread.sleep(1);
    }
  }

  /** After the first time there is room for all in the heap's pages, but not in one page. */
  private void replaceBatch() {
    List<ByteBuf> batch = new ArrayList<>();
    try {
      for (int n = 0; n < 500; n++) {
        batch.add(allocator.directBuffer(1000));
      }
    } finally {
      batch.forEach(ByteBuf::release);
    }
  }

  /** Without a delay, nothing but its executor's end has anybody look for the thread. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"REJECTS_ALL"}, // may accept later
      mode = EnumSource.Mode.EXCLUDE)
  void theThreadsEndIsFoundWithoutADelay(Kind kind) throws Exception {
    MiMallocByteBufAllocator idle = MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
    InTwoSteps thread =
        new InTwoSteps(
            kind,
            () -> {
              ThrowingThreadLocals.setOnThisThread();
              Burst.live(idle, true, 4 * MIB, 1).forEach(ByteBuf::release);
              return null;
            },
            () -> null);
    assertThat(idle.metric().usedDirectMemory()).isPositive();
    idle.close();
    assertThat(idle.metric().usedDirectMemory()).as("of the living owner").isPositive();
    thread.goOn();
    thread.running.end();
    Idle.awaitUsed(idle, 0);
    assertNothingHeld(idle);
  }

  /** A thread-local that throws keeps Netty from removing the others. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void theThreadsEndIsFound(Kind kind) {
    List<ByteBuf> live = new ArrayList<>();
    RefusingExecutor executor = new RefusingExecutor(kind);
    executor.run(
        () -> {
          ThrowingThreadLocals.setOnThisThread();
          live.addAll(Burst.live(allocator, true, 4 * MIB, 1));
          live.forEach(ByteBuf::release);
          return null;
        });
    assertSound(allocator);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** A thread that does one thing, and another one when it is told to. */
  private static final class InTwoSteps {

    final ThreadKind.Running<?> running;
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    /** Returns when the first thing is done, or has failed. */
    InTwoSteps(Kind kind, Callable<?> first, Callable<?> second) throws InterruptedException {
      CountDownLatch done = new CountDownLatch(1);
      running =
          new RefusingExecutor(kind)
              .start(
                  () -> {
                    try {
                      first.call();
                    } finally {
                      done.countDown();
                    }
                    mayGoOn.await();
                    return second.call();
                  });
      done.await();
    }

    void goOn() {
      mayGoOn.countDown();
    }
  }
}
