package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Draws one {@link Operation} after the other for one thread, and has what it needs. Its decisions
 * follow from its random numbers and from what it takes over from others.
 *
 * <p>It does only what legal programs do: it uses what it holds, and changes what nobody else
 * holds.
 *
 * <p>Not thread-safe; all threads may read its holdings while none is at work.
 */
final class Worker {
  /** Larger buffers are allocated only while there is room for them. */
  static final int LARGE = 1 << 20;

  /** Holdings that are drawn more often, and how rarely another one is. */
  private static final int LATEST = 32;

  private static final int OLD_IN = 6;

  private static final int LARGEST_TARGET_BITS = 14;
  private static final int NEW_TARGET_IN = 30_000;

  final Traffic traffic;
  final SplittableRandom random;
  final Stamp stamp = new Stamp();
  private final int life;
  private final Sizes sizes;
  final List<Holding> holdings = new ArrayList<>();
  private final int[] counts = new int[Operation.values().length];

  private int begun;

  /** So many holdings it strives for. */
  private int target;

  private long unreportedBytes;

  Operation current = Operation.CHECK;

  Worker(Traffic traffic, int life, SplittableRandom random) {
    this.traffic = traffic;
    this.life = life;
    this.random = random;
    sizes = new Sizes(random);
    target = drawTarget();
  }

  /** Goes on with what others have left, up to what it strives for. */
  void inherit(Queue<Holding> left) {
    while (holdings.size() < target && !left.isEmpty()) {
      holdings.add(left.remove());
    }
  }

  /** Checks and releases what it holds. */
  void releaseAll() {
    while (!holdings.isEmpty()) {
      operate(Operation.RELEASE);
    }
    report();
  }

  void operate(int operations) {
    for (int i = 0; i < operations; i++) {
      if (random.nextInt(NEW_TARGET_IN) == 0) {
        target = drawTarget();
      }
      Operation drawn = Operation.draw(random);
      boolean changesCount = drawn == Operation.ALLOCATE || drawn == Operation.RELEASE;
      operate(changesCount ? towardsTarget() : drawn);
    }
    report();
  }

  private int drawTarget() {
    return 1 << random.nextInt(LARGEST_TARGET_BITS);
  }

  /** Allocates where it has fewer buffers than it strives for, mostly, and else releases. */
  private Operation towardsTarget() {
    if (holdings.isEmpty()) {
      return Operation.ALLOCATE;
    }
    if (traffic.isFull(0)) {
      return Operation.RELEASE;
    }
    boolean more = holdings.size() < target;
    return more == (random.nextInt(4) > 0) ? Operation.ALLOCATE : Operation.RELEASE;
  }

  private void operate(Operation drawn) {
    Holding holding = drawn.needsHolding() ? takeAny() : null;
    if (holding != null) {
      current = drawn.fits(this, holding) ? drawn : Operation.CHECK;
    } else {
      current = drawn.needsHolding() ? Operation.ALLOCATE : drawn;
    }
    counts[current.ordinal()]++;
    keep(current.apply(this, holding));
  }

  void keep(@Nullable Holding holding) {
    if (holding != null) {
      holdings.add(holding);
    }
  }

  private @Nullable Holding takeAny() {
    int last = holdings.size() - 1;
    if (last < 0) {
      return null;
    }
    // Mostly one of the latest, as programs do: old ones are not in the processor's caches.
    int index =
        random.nextInt(OLD_IN) == 0
            ? random.nextInt(last + 1)
            : last - random.nextInt(Math.min(last + 1, LATEST));
    Holding taken = holdings.get(index);
    holdings.set(index, holdings.get(last));
    holdings.remove(last);
    return taken;
  }

  int drawSize() {
    return sizes.draw(random);
  }

  /** Gives a buffer that has one reference its identity. */
  Holding begin(ByteBuf buffer) {
    long id = Stamp.identity(life, ++begun);
    stamp.write(buffer, id, 0, buffer.capacity());
    charge(buffer.capacity());
    return Holding.of(buffer, id);
  }

  /** Takes note of bytes that are kept, or if negative are kept no more. */
  void charge(long bytes) {
    unreportedBytes += bytes;
    if (Math.abs(unreportedBytes) >= LARGE) {
      reportKept();
    }
  }

  private void report() {
    traffic.addAndClear(counts, stamp.takeCheckedBytes());
    reportKept();
  }

  private void reportKept() {
    traffic.addKept(unreportedBytes);
    unreportedBytes = 0;
  }
}
