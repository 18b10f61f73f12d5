package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.Deadline;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Seed;
import io.github.mimalloc4j.netty.support.StampedTraffic;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Threads of all kinds allocate, stamp, grow, hand over and release, and end with live buffers that
 * their successors go on with. Every buffer is checked over its whole length before its release.
 */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class StampedStressTest {

  private static final int LEGS = 5;
  private static final int PAUSES_PER_LEG = 4;
  private static final int OPERATIONS_BETWEEN_PAUSES = 25_000;
  private static final int THREADS_OF_A_KIND = 3;

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
  private final StampedTraffic traffic = new StampedTraffic(allocator);

  @Test
  void noByteOfALiveBufferEverChanges() {
    Seed.with(this::stress);
  }

  private void stress(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int leg = 0; leg < LEGS; leg++) {
      runLeg(random);
      assertSound(allocator); // all threads have ended
    }
    traffic.releaseAll(random.split());
    assertNothingHeld(allocator);
  }

  private void runLeg(SplittableRandom random) {
    ThreadKind[] kinds = ThreadKind.available();
    int threads = kinds.length * THREADS_OF_A_KIND;
    Phaser pause =
        new Phaser(threads) {
          @Override
          protected boolean onAdvance(int phase, int parties) {
            assertSound(allocator); // all threads are here
            return false;
          }
        };
    List<ThreadKind.Running<Void>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      StampedTraffic.Worker worker = traffic.new Worker(random.split());
      running.add(kinds[i % kinds.length].start(() -> work(worker, pause)));
    }
    Deadline deadline = new Deadline();
    AssertionError failure = null;
    for (ThreadKind.Running<Void> each : running) {
      try {
        each.end(deadline);
      } catch (AssertionError e) {
        pause.forceTermination(); // the others stop at their next pause
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static Void work(StampedTraffic.Worker worker, Phaser pause) {
    worker.inherit();
    try {
      for (int i = 0; i < PAUSES_PER_LEG; i++) {
        for (int n = 0; n < OPERATIONS_BETWEEN_PAUSES; n++) {
          worker.operate();
        }
        if (pause.arriveAndAwaitAdvance() < 0) {
          return null; // another worker has failed
        }
      }
    } catch (Throwable t) {
      pause.forceTermination(); // or the others would wait for ever
      throw t;
    }
    worker.leave();
    return null;
  }
}
