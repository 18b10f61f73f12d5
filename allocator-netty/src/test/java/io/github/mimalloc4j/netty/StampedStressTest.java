package io.github.mimalloc4j.netty;

import static io.github.mimalloc4j.netty.Soundness.allocate;
import static io.github.mimalloc4j.netty.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Threads of all kinds allocate, stamp, grow, hand over and release, and end with live buffers that
 * their successors go on with. Every buffer is checked over its whole length before its release.
 */
@ExtendWith(LeakDetectionOff.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class StampedStressTest {

  private static final int LEGS = 5;
  private static final int PAUSES_PER_LEG = 4;
  private static final int OPERATIONS_BETWEEN_PAUSES = 25_000;
  private static final int THREADS_OF_A_KIND = 3;
  private static final int MOST_LIVE_PER_THREAD = 150;

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
  private final AtomicReferenceArray<Stamped> handOver = new AtomicReferenceArray<>(128);
  private final ConcurrentLinkedQueue<Stamped> orphans = new ConcurrentLinkedQueue<>();
  private final AtomicLong lastId = new AtomicLong();

  /** A buffer with its stamp. Whoever has this has the only reference. */
  private static final class Stamped {
    final ByteBuf buffer;
    final long id;

    Stamped(ByteBuf buffer, long id) {
      this.buffer = buffer;
      this.id = id;
    }
  }

  @Test
  void noByteOfALiveBufferEverChanges() {
    Seed.with(this::stress);
  }

  private void stress(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long operations = 0;
    for (int leg = 0; leg < LEGS; leg++) {
      operations += runLeg(random);
      assertSound(allocator); // all threads have ended
    }
    assertThat(operations).isGreaterThanOrEqualTo(4_000_000);
    for (int i = 0; i < handOver.length(); i++) {
      orphans.add(handOver.get(i));
    }
    SplittableRandom any = random.split();
    orphans.forEach(each -> new Worker(any, null).release(each));
    assertNothingHeld(allocator);
  }

  private long runLeg(SplittableRandom random) {
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
      Worker worker = new Worker(random.split(), pause);
      running.add(kinds[i % kinds.length].start(worker::work));
    }
    AssertionError failure = null;
    for (ThreadKind.Running<Void> each : running) {
      try {
        each.end();
      } catch (AssertionError e) {
        failure = e; // the others stop at their next pause
      }
    }
    if (failure != null) {
      throw failure;
    }
    return (long) threads * PAUSES_PER_LEG * OPERATIONS_BETWEEN_PAUSES;
  }

  private final class Worker {
    private final SplittableRandom random;
    private final Phaser pause;
    private final List<Stamped> live = new ArrayList<>();

    Worker(SplittableRandom random, Phaser pause) {
      this.random = random;
      this.pause = pause;
    }

    Void work() {
      for (int i = 0; i < MOST_LIVE_PER_THREAD / 2; i++) {
        Stamped inherited = orphans.poll();
        if (inherited != null) {
          live.add(inherited);
        }
      }
      try {
        for (int i = 0; i < PAUSES_PER_LEG; i++) {
          for (int n = 0; n < OPERATIONS_BETWEEN_PAUSES; n++) {
            operate();
          }
          if (pause.arriveAndAwaitAdvance() < 0) {
            return null; // another worker has failed
          }
        }
      } catch (Throwable t) {
        pause.forceTermination(); // or the others would wait for ever
        throw t;
      }
      orphans.addAll(live);
      return null;
    }

    private void operate() {
      int operation = random.nextInt(20);
      if (live.isEmpty() || operation < 8 && live.size() < MOST_LIVE_PER_THREAD) {
        live.add(newStamped());
      } else if (operation < 14) {
        release(takeAny());
      } else if (operation < 19) {
        Stamped received = handOver.getAndSet(random.nextInt(handOver.length()), takeAny());
        if (received != null) {
          live.add(received);
        }
      } else {
        live.add(changeCapacity(takeAny()));
      }
    }

    private Stamped takeAny() {
      int last = live.size() - 1;
      int index = random.nextInt(live.size());
      Stamped taken = live.get(index);
      live.set(index, live.get(last));
      live.remove(last);
      return taken;
    }

    private Stamped newStamped() {
      return stamp(allocate(allocator, random.nextInt(4) != 0, randomSize()));
    }

    private Stamped stamp(ByteBuf buffer) {
      long id = lastId.incrementAndGet();
      Stamp.write(buffer, id);
      return new Stamped(buffer, id);
    }

    private int randomSize() {
      int kind = random.nextInt(10_000);
      int bound = kind < 7_500 ? 256 : kind < 9_900 ? 1_000 : kind < 9_997 ? 20_000 : 500_000;
      return 1 + random.nextInt(bound);
    }

    private Stamped changeCapacity(Stamped stamped) {
      ByteBuf buffer = stamped.buffer;
      int before = buffer.capacity();
      Stamp.check(buffer, stamped.id);
      buffer.capacity(random.nextInt(3) == 0 ? random.nextInt(before + 1) : before + randomSize());
      Stamp.check(buffer, stamped.id, 0, Math.min(before, buffer.capacity()));
      return stamp(buffer);
    }

    private void release(Stamped stamped) {
      Stamp.check(stamped.buffer, stamped.id);
      if (random.nextInt(8) == 0) {
        stamped.buffer.retain();
        assertReleased(stamped.buffer, false);
      }
      assertReleased(stamped.buffer, true);
    }

    private void assertReleased(ByteBuf buffer, boolean last) {
      if (buffer.release() != last) {
        throw new AssertionError("others hold it, or nobody: " + buffer);
      }
    }
  }
}
