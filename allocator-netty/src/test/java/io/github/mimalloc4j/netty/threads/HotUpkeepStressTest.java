package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.support.CountingEventLoop;
import io.github.mimalloc4j.netty.support.Deadline;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Seed;
import io.github.mimalloc4j.netty.support.StampedTraffic;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * As {@link StampedStressTest}, with upkeep that is due after a millisecond and threads that are
 * idle now and then, so that heaps are trimmed and segments given back all the time; and with
 * threads that call {@code trim()} themselves or lose their thread-locals.
 */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class HotUpkeepStressTest {

  private static final int LEGS = 8;
  private static final int STEPS_PER_LEG = 60;
  private static final int OPERATIONS_PER_STEP = 250;
  private static final int THREADS_OF_A_KIND = 3;

  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().trimDelayMillis(1).build();

  private final StampedTraffic traffic = new StampedTraffic(allocator);
  private final AtomicLong trimmedBytes = new AtomicLong();

  @Test
  void noByteOfALiveBufferEverChangesAndAllMemoryComesBack() {
    Seed.with(this::stress);
  }

  private void stress(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int leg = 0; leg < LEGS; leg++) {
      runLeg(random);
      assertSound(allocator); // all threads have ended
    }
    assertThat(trimmedBytes).hasPositiveValue();
    traffic.releaseAll(random.split());
    Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    assertNothingHeld(allocator);
  }

  private void runLeg(SplittableRandom random) {
    List<CountingEventLoop> loops = new ArrayList<>();
    List<ThreadKind.Running<Void>> running = new ArrayList<>();
    try (Loops unused = () -> loops.forEach(CountingEventLoop::close);
        ThreadKind.Group executors =
            new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, THREADS_OF_A_KIND)) {
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (EventExecutor executor : executors.executors) {
        ends.add(new Steps(random).runOn(executor));
        loops.add(new CountingEventLoop());
        ends.add(new Steps(random).runOn(loops.get(loops.size() - 1)));
      }
      for (ThreadKind kind : ThreadKind.available()) {
        for (int n = 0; n < THREADS_OF_A_KIND && !kind.ownsHeap(); n++) {
          running.add(kind.start(new Steps(random)::runAll));
        }
      }
      Deadline deadline = new Deadline();
      ends.forEach(end -> deadline.awaitEnd(end, "the steps on an executor"));
      running.forEach(each -> each.end(deadline));
      loops.forEach(CountingEventLoop::awaitQuiet);
    }
  }

  /** Event loops to be closed. What fails then does not replace what has failed before. */
  private interface Loops extends AutoCloseable {
    @Override
    void close();
  }

  /** The work of one thread, cut into steps that leave it time for upkeep. */
  private final class Steps {
    private final SplittableRandom random;
    private final StampedTraffic.Worker worker;
    private int left = STEPS_PER_LEG;

    Steps(SplittableRandom random) {
      this.random = random.split();
      worker = traffic.new Worker(random.split());
    }

    /** All on the current thread. */
    Void runAll() throws InterruptedException {
      worker.inherit();
      for (; left > 0; left--) {
        step();
        Thread.sleep(pauseMillis());
      }
      worker.leave();
      return null;
    }

    /** Each as a task of its own. */
    CompletableFuture<Void> runOn(EventExecutor executor) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      executor.execute(
          () -> {
            worker.inherit();
            runNext(executor, end);
          });
      return end;
    }

    private void runNext(EventExecutor executor, CompletableFuture<Void> end) {
      try {
        step();
      } catch (Throwable t) {
        end.completeExceptionally(t);
        return;
      }
      if (--left > 0) {
        executor.schedule(() -> runNext(executor, end), pauseMillis(), TimeUnit.MILLISECONDS);
      } else {
        worker.leave();
        end.complete(null);
      }
    }

    private void step() {
      for (int n = 0; n < OPERATIONS_PER_STEP; n++) {
        worker.operate();
      }
      if (random.nextInt(20) == 0) {
        trimmedBytes.addAndGet(allocator.trim());
      }
      if (random.nextInt(100) == 0) {
        FastThreadLocal.removeAll(); // leaves a heap to others while its trim is due
      }
    }

    /** Often less than the delay of upkeep, now and then more. */
    private int pauseMillis() {
      return random.nextInt(8) == 0 ? 3 : 0;
    }
  }
}
