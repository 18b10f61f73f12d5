package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.memory.Burst;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.memory.IdlePrograms;
import io.github.mimalloc4j.netty.support.CountingEventLoop;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.NettyLine;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.SuspendableEventLoop;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.ThrowingThreadLocals;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When upkeep is scheduled on an event loop: once for all reasons, and not without one. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class IdleSchedulingTest {

  private static final int MIB = 1 << 20;

  private final MiMallocByteBufAllocator allocator = Idle.newAllocator();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anIdleEventLoopIsLeftAlone(boolean somethingLive) throws Exception {
    try (CountingEventLoop loop = new CountingEventLoop()) {
      List<ByteBuf> live = loop.call(() -> Burst.live(allocator, true, 16 * MIB, 1));
      List<ByteBuf> released = somethingLive ? live.subList(0, live.size() / 2) : live;
      released.forEach(ByteBuf::release);
      Idle.awaitUpkeep();
      loop.awaitQuiet();
      int submitted = loop.submitted();
      Thread.sleep(10 * Idle.TRIM_DELAY_MILLIS);
      assertThat(loop.submitted()).isEqualTo(submitted);
      live.stream().filter(buffer -> buffer.refCnt() > 0).forEach(ByteBuf::release);
      Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    }
    assertNothingHeld(allocator);
  }

  /** However much happens. Elapsed time only bounds the count: a slow machine does not fail. */
  @Test
  void aBusyEventLoopIsTrimmedOnceInADelayAtMost() {
    try (CountingEventLoop loop = new CountingEventLoop()) {
      long start = System.nanoTime();
      for (int round = 0; round < 300; round++) {
        int seed = round;
        List<ByteBuf> live =
            loop.call(
                () -> {
                  Burst.live(allocator, true, MIB, seed).forEach(ByteBuf::release);
                  return Burst.live(allocator, true, MIB, seed);
                });
        live.forEach(ByteBuf::release);
      }
      int scheduled = loop.scheduled(Idle.TRIM_DELAY_MILLIS); // but for the rests of large trims
      long delays =
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) / Idle.TRIM_DELAY_MILLIS;
      assertThat(scheduled).isPositive().isLessThanOrEqualTo(1 + (int) delays);
      loop.awaitQuiet();
    }
    assertNothingHeld(allocator);
  }

  /** A task would be waited for, or refused; and the memory comes back with the thread's end. */
  @Test
  void nothingIsScheduledOnALoopThatIsShuttingDown() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    try (CountingEventLoop loop = new CountingEventLoop()) {
      List<ByteBuf> live = loop.call(() -> Burst.live(allocator, true, 16 * MIB, 1));
      loop.awaitQuiet();
      try {
        loop.stayBusyUntil(mayEnd);
        loop.shutdownGracefully(0, 1, TimeUnit.MINUTES);
        int submitted = loop.submitted();
        live.subList(0, live.size() / 2).forEach(ByteBuf::release);
        Idle.awaitUpkeep();
        live.subList(live.size() / 2, live.size()).forEach(ByteBuf::release);
        Idle.awaitUpkeep();
        assertThat(loop.submitted()).isEqualTo(submitted);
      } finally {
        mayEnd.countDown();
      }
      Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    }
    assertNothingHeld(allocator);
  }

  /** Netty lets loops that have little to do sleep without a thread. */
  @Test
  @Tag(NettyLine.NEEDS_4_2)
  void aLoopThatIsSuspendedGivesItsMemoryBackAndSleepsOn() {
    MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();
    try (SuspendableEventLoop loop = new SuspendableEventLoop()) {
      for (int round = 0; round < 3; round++) {
        List<ByteBuf> live = loop.call(() -> Burst.live(allocator, true, 4 * MIB, 1));
        Thread thread = loop.call(Thread::currentThread);
        loop.awaitQuiet();
        assertThat(loop.trySuspend()).isTrue();
        ThreadKind.join(thread);
        int submitted = loop.submitted();
        live.forEach(ByteBuf::release);
        Idle.awaitUsed(allocator, 0);
        assertThat(loop.submitted()).isEqualTo(submitted);
        assertThat(loop.isSuspended()).isTrue();
      }
    }
    assertNothingHeld(allocator);
  }

  /**
   * Netty then leaves out the thread-local that holds the heap, and goes on with another thread.
   */
  @Test
  @Tag(NettyLine.NEEDS_4_2)
  void aLoopThatIsSuspendedWhileAThreadLocalThrowsGivesItsMemoryBack() {
    MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();
    try (SuspendableEventLoop loop = new SuspendableEventLoop()) {
      Thread thread = loop.call(Thread::currentThread);
      List<ByteBuf> live =
          loop.call(
              () -> {
                ThrowingThreadLocals.setOnThisThread();
                return Burst.live(allocator, true, 4 * MIB, 1);
              });
      loop.awaitQuiet();
      assertThat(loop.trySuspend()).isTrue();
      ThreadKind.join(thread);
      live.forEach(ByteBuf::release);
      Idle.awaitUsed(allocator, 0);
    }
    assertNothingHeld(allocator);
  }

  @Test
  void aLoopWithATrimInAnHourShutsDownAtOnceAndIsNotTrimmedMoreOften() {
    OtherJvm.run(IdlePrograms.TrimInAnHour.class).assertSucceeded();
  }

  @Test
  void theUpkeepThreadEndsWhenThereIsNothingToDo() {
    OtherJvm.run(IdlePrograms.UpkeepThreadEnds.class).assertSucceeded();
  }

  @Test
  void upkeepThatIsDueInAnHourKeepsNoJvmFromEnding() {
    OtherJvm.run(
            IdlePrograms.MainReturns.class, "-Dio.netty.allocator.mimalloc.trimDelayMillis=3600000")
        .assertSucceeded();
  }

  @Test
  void anUpkeepThreadThatIsWaitingKeepsNoJvmFromEnding() {
    OtherJvm.run(IdlePrograms.MainReturns.class).assertSucceeded();
  }
}
