package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.threads.NativeHeapUpkeep.DELAY_MILLIS;
import static io.github.mimalloc4j.netty.threads.NativeHeapUpkeep.MAX_HELD_BYTES;
import static io.github.mimalloc4j.netty.threads.NativeHeapUpkeep.MIN_BYTES;
import static io.github.mimalloc4j.netty.threads.NativeHeapUpkeep.PAUSE_FACTOR;
import static io.github.mimalloc4j.netty.threads.NativeHeapUpkeep.USED_SHARE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.system.PlantedNativeHeap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a trim is due, with a clock and an executor of the test's own. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class NativeHeapUpkeepTest {

  private static final int MIB = 1 << 20;
  private static final int ENOUGH = (int) MIN_BYTES;

  private record Scheduled(Runnable task, long delayMillis) {}

  private final PlantedNativeHeap planted = new PlantedNativeHeap();
  private final Queue<Scheduled> scheduled = new ArrayDeque<>();
  private final Memory memory = () -> {};
  private boolean refuses;

  private final NativeHeapUpkeep upkeep =
      new NativeHeapUpkeep(
          planted.heap,
          (task, delayMillis) -> {
            if (refuses) {
              throw new RejectedExecutionException();
            }
            scheduled.add(new Scheduled(task, delayMillis));
          },
          planted.nanos::get);

  @Test
  void isDueADelayAfterEnoughWasFreedAndComesToRest() {
    obtain(ENOUGH);
    free(ENOUGH - 1);
    assertThat(scheduled).isEmpty();
    free(1);
    assertThat(runNext()).isEqualTo(DELAY_MILLIS);
    assertThat(planted.trims).hasValue(1);
    assertThat(scheduled).as("what an idle process is woken for").isEmpty();
  }

  @Test
  void isOneForAllThatIsFreedMeanwhile() {
    obtain(100 * ENOUGH);
    for (int i = 0; i < 100; i++) {
      free(ENOUGH);
    }
    assertThat(scheduled).hasSize(1);
    runNext();
    assertThat(planted.trims).hasValue(1);
    assertThat(scheduled).isEmpty();
  }

  @Test
  void needsTheMoreTheMoreIsInUse() {
    long used = 4 * USED_SHARE * MIN_BYTES;
    for (long bytes = 0; bytes < used; bytes += ENOUGH) {
      obtain(ENOUGH);
    }
    free(ENOUGH);
    free(ENOUGH);
    free(ENOUGH);
    assertThat(scheduled).isEmpty();
    free(ENOUGH);
    assertThat(scheduled).hasSize(1);
  }

  @Test
  void whatWasFreedIsNotInUse() {
    for (int i = 0; i < 4 * USED_SHARE; i++) {
      obtain(ENOUGH);
    }
    for (int i = 0; i < 4 * USED_SHARE; i++) {
      free(ENOUGH);
    }
    runNext();
    assertThat(planted.trims).hasValue(1);
    obtain(ENOUGH);
    free(ENOUGH);
    assertThat(scheduled).as("the least suffices").hasSize(1);
  }

  @Test
  void isNotDueForWhatIsInUseAgain() {
    obtain(2 * ENOUGH);
    free(2 * ENOUGH);
    obtain(ENOUGH + 1);
    runNext();
    assertThat(planted.trims).hasValue(0);
    assertThat(scheduled).isEmpty();
    free(1);
    runNext();
    assertThat(planted.trims).hasValue(1);
  }

  /** More than was freed comes from the system, and is no debt. */
  @Test
  void whatIsObtainedBesidesCountsForNothing() {
    obtain(ENOUGH);
    free(1);
    obtain(50 * MIB);
    free(50 * MIB);
    assertThat(scheduled).hasSize(1);
  }

  @Test
  void isPutOffByTheLastOnesDurationAndComesWithoutACall() {
    planted.setDuration(TimeUnit.MILLISECONDS.toNanos(100));
    obtain(2 * ENOUGH);
    free(ENOUGH);
    runNext();
    free(ENOUGH);
    long delay = PAUSE_FACTOR * 100 + 1;
    assertThat(runNext()).isEqualTo(delay);
    assertThat(planted.trims).as("too early, for no time has passed").hasValue(1);
    assertThat(scheduled.peek().delayMillis()).isEqualTo(delay);
    planted.nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(delay));
    runNext();
    assertThat(planted.trims).hasValue(2);
    assertThat(scheduled).isEmpty();
  }

  @Test
  void whatIsAskedForIsDoneAtOnceAndPutsOffTheNext() {
    planted.setDuration(TimeUnit.MILLISECONDS.toNanos(100));
    upkeep.trim();
    upkeep.trim();
    assertThat(planted.trims).hasValue(2);
    obtain(ENOUGH);
    free(ENOUGH);
    runNext();
    assertThat(planted.trims).hasValue(2);
    assertThat(scheduled).hasSize(1);
  }

  @Test
  void whatWasTrimmedOnDemandIsNotDueAnyMore() {
    obtain(ENOUGH);
    free(ENOUGH);
    upkeep.trim();
    runNext();
    assertThat(planted.trims).hasValue(1);
    assertThat(scheduled).isEmpty();
  }

  @Test
  void afterAFailureNothingIsScheduledAnyMore() {
    planted.setFailure(new IllegalStateException("planted"));
    obtain(2 * ENOUGH);
    free(ENOUGH);
    runNext();
    assertThat(planted.trims).hasValue(1);
    free(ENOUGH);
    assertThat(scheduled).isEmpty();
    upkeep.trim();
    assertThat(planted.trims).hasValue(1);
    assertThat(upkeep.hold(new Freed(1))).as("for no trim").isFalse();
  }

  /** Nobody else may come for what was freed: the process may be idle from here on. */
  @Test
  void afterAFailureForWantOfJavaHeapItIsRepeated() {
    planted.setFailure(new IllegalStateException(new OutOfMemoryError("planted")));
    obtain(ENOUGH);
    free(ENOUGH);
    runNext();
    assertThat(runNext()).isEqualTo(DELAY_MILLIS);
    assertThat(upkeep.freedBytes()).isEqualTo(ENOUGH);
    planted.setFailure(null);
    runNext();
    assertThat(upkeep.freedBytes()).isZero();
    assertThat(planted.trims).hasValue(3);
    assertThat(scheduled).isEmpty();
  }

  /** The run that was due comes while the trim that was asked for has what was freed. */
  @Test
  void aTrimThatFailsLeavesWhatWasFreedToAnotherRun() {
    obtain(ENOUGH);
    free(ENOUGH);
    planted.setFailure(new IllegalStateException(new OutOfMemoryError("planted")));
    planted.whenRun = this::runNext;
    upkeep.trim();
    assertThat(planted.trims).hasValue(1);
    planted.setFailure(null);
    runNext();
    assertThat(planted.trims).hasValue(2);
    assertThat(upkeep.freedBytes()).isZero();
    assertThat(scheduled).isEmpty();
  }

  @Test
  void anExecutorThatRefusesIsAskedAgainWithTheNextMemory() {
    obtain(2 * ENOUGH);
    refuses = true;
    free(ENOUGH);
    refuses = false;
    free(1);
    assertThat(scheduled).hasSize(1);
    runNext();
    assertThat(planted.trims).hasValue(1);
  }

  /** The C library maps it on its own: holding it would only count against others' limits. */
  @Test
  void memoryThatIsInNoArenaIsNotHeld() {
    assertThat(upkeep.hold(new Freed(MAX_HELD_BYTES + 1))).isFalse();
    assertThat(scheduled).isEmpty();
    Freed held = new Freed(MAX_HELD_BYTES);
    assertThat(upkeep.hold(held)).isTrue();
    assertThat(scheduled).hasSize(1);
    assertThat(held.frees).hasValue(0);
    upkeep.releaseHeld();
    assertThat(held.frees).hasValue(1);
  }

  /** What is beside the top of an arena is not known of it. */
  @Test
  void memoryWithoutAnAddressIsNotHeld() {
    Freed hidden = new Freed(1, Memory.NO_ADDRESS, new AtomicInteger());
    assertThat(upkeep.hold(hidden)).isFalse();
    assertThat(hidden.frees).hasValue(0);
  }

  @Test
  void whatIsHeldIsFreedALittleLaterThoughATrimIsNotWorthwhile() {
    Freed held = new Freed(1);
    upkeep.hold(held);
    assertThat(runNext()).isEqualTo(DELAY_MILLIS);
    assertThat(held.frees).hasValue(1);
    assertThat(planted.trims).hasValue(0);
    assertThat(scheduled).isEmpty();
  }

  /** The first trim does not reach what was held at the top of an arena. */
  @Test
  void muchThatIsHeldIsTrimmedOnceItIsFreed() {
    Freed held = new Freed(ENOUGH);
    assertThat(upkeep.hold(held)).isTrue();
    upkeep.trim();
    assertThat(held.frees).hasValue(1);
    assertThat(planted.trims).hasValue(2);
    upkeep.hold(new Freed(ENOUGH - 1));
    upkeep.trim();
    assertThat(planted.trims).hasValue(3);
  }

  private record Freed(int bytes, long address, AtomicInteger frees) implements FreedMemory {

    Freed(int bytes) {
      this(bytes, 1L << 40, new AtomicInteger());
    }

    @Override
    public void freeNow() {
      frees.incrementAndGet();
    }
  }

  /** However threads and runs meet: when nobody frees any more, nothing worthwhile is left. */
  @Test
  void noRequestIsLostBetweenThreads() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int round = 0; round < 300; round++) {
        PlantedNativeHeap heap = new PlantedNativeHeap();
        AtomicLong clock = new AtomicLong();
        List<Future<?>> runs = new ArrayList<>();
        NativeHeapUpkeep shared =
            new NativeHeapUpkeep(
                heap.heap,
                (task, delay) -> {
                  synchronized (runs) {
                    runs.add(threads.submit(task));
                  }
                },
                () -> clock.addAndGet(2 * PAUSE_FACTOR)); // never too early
        AtomicBoolean go = new AtomicBoolean();
        List<Future<?>> freeing = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          freeing.add(
              threads.submit(
                  () -> {
                    while (!go.get()) {
                      Thread.onSpinWait();
                    }
                    for (int n = 0; n < 20; n++) {
                      shared.segmentFreed(memory, ENOUGH, false);
                    }
                  }));
        }
        go.set(true);
        for (Future<?> each : freeing) {
          each.get();
        }
        awaitAll(runs);
        assertThat(heap.trims).hasPositiveValue();
        assertThat(shared.freedBytes()).as("nobody comes for").isLessThan(MIN_BYTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Those too that are added by others. */
  private static void awaitAll(List<Future<?>> runs) throws Exception {
    for (int i = 0; ; i++) {
      Future<?> run;
      synchronized (runs) {
        if (i == runs.size()) {
          return;
        }
        run = runs.get(i);
      }
      run.get();
    }
  }

  private void obtain(int bytes) {
    upkeep.segmentObtained(memory, bytes, false);
  }

  private void free(int bytes) {
    upkeep.segmentFreed(memory, bytes, false);
  }

  /** Runs what is scheduled, and returns the delay that it was to have. */
  private long runNext() {
    Scheduled next = scheduled.remove();
    next.task().run();
    return next.delayMillis();
  }
}
