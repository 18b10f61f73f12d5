package io.github.mimalloc4j.netty.support;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Threads allocate, stamp, grow, hand over and release, and leave live buffers that their
 * successors go on with. Every buffer is checked over its whole length before its release.
 */
public final class StampedTraffic {

  private static final int MOST_LIVE_PER_THREAD = 150;

  private final MiMallocByteBufAllocator allocator;
  private final AtomicReferenceArray<Stamped> handOver = new AtomicReferenceArray<>(128);
  private final ConcurrentLinkedQueue<Stamped> orphans = new ConcurrentLinkedQueue<>();
  private final AtomicLong lastId = new AtomicLong();

  public StampedTraffic(MiMallocByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** A buffer with its stamp. Whoever has this has the only reference. */
  private static final class Stamped {
    final ByteBuf buffer;
    final long id;

    Stamped(ByteBuf buffer, long id) {
      this.buffer = buffer;
      this.id = id;
    }
  }

  /** Releases all that is live after the last worker has left. */
  public void releaseAll(SplittableRandom random) {
    Worker worker = new Worker(random);
    for (int i = 0; i < handOver.length(); i++) {
      Stamped handed = handOver.getAndSet(i, null);
      if (handed != null) {
        worker.release(handed);
      }
    }
    for (Stamped each = orphans.poll(); each != null; each = orphans.poll()) {
      worker.release(each);
    }
  }

  /** One thread's part of the traffic. */
  public final class Worker {
    private final SplittableRandom random;
    private final List<Stamped> live = new ArrayList<>();

    public Worker(SplittableRandom random) {
      this.random = random;
    }

    /** Goes on with what others have left. */
    public void inherit() {
      for (int i = 0; i < MOST_LIVE_PER_THREAD / 2; i++) {
        Stamped inherited = orphans.poll();
        if (inherited != null) {
          live.add(inherited);
        }
      }
    }

    /** Leaves what is live to others. */
    public void leave() {
      orphans.addAll(live);
      live.clear();
    }

    public void operate() {
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
