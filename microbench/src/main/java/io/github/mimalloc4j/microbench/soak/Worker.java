package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What one thread does with buffers. Its decisions follow from its random numbers and from what it
 * takes over from others.
 *
 * <p>It does only what legal programs do: it uses what it holds, and changes what nobody else
 * holds.
 *
 * <p>Not thread-safe; all threads may read {@link #holdings} while none is at work.
 */
final class Worker {
  /** Buffers are not grown beyond, or those that grow again and again would fill the memory. */
  private static final int LARGEST_GROWN = 4 << 20;

  /** Of large buffers, parts of this size are checked and written when they are not released. */
  private static final int PART_BYTES = 16 << 10;

  /** Larger ones are allocated only while there is room for them. */
  private static final int LARGE = 1 << 20;

  /** Holdings that are taken more often, and how rarely another one is. */
  private static final int LATEST = 32;

  private static final int OLD_IN = 6;

  private static final int LARGEST_TARGET_BITS = 14;
  private static final int NEW_TARGET_IN = 30_000;

  private final Traffic traffic;
  private final int life;
  private final SplittableRandom random;
  private final Sizes sizes;
  private final Stamp stamp = new Stamp();
  private final List<Holding> holdings = new ArrayList<>();
  private final int[] counts = new int[Operation.values().length];

  private int allocated;
  private int target;
  private long unreportedBytes;
  private Operation current = Operation.CHECK;

  Worker(Traffic traffic, int life, SplittableRandom random) {
    this.traffic = traffic;
    this.life = life;
    this.random = random;
    sizes = Sizes.drawFor(random);
    target = drawTarget();
  }

  /** What it holds. */
  List<Holding> holdings() {
    return holdings;
  }

  /** What it is doing. */
  Operation current() {
    return current;
  }

  /** Goes on with what others have left, up to what it strives for. */
  void inherit() {
    while (holdings.size() < target) {
      Holding inherited = traffic.handOver().inherit();
      if (inherited == null) {
        return;
      }
      holdings.add(inherited);
    }
  }

  /** Leaves what it holds to others. */
  void leave() {
    holdings.forEach(traffic.handOver()::leaveBehind);
    holdings.clear();
    report();
  }

  /** Checks and releases everything that is left, while no other thread is at work. */
  void releaseAll() {
    current = Operation.RELEASE;
    for (Holding holding = traffic.handOver().takeAny();
        holding != null;
        holding = traffic.handOver().takeAny()) {
      counts[current.ordinal()]++;
      release(holding);
    }
    report();
  }

  /** Draws and does a number of operations. */
  void operate(int operations) {
    for (int i = 0; i < operations; i++) {
      if (random.nextInt(NEW_TARGET_IN) == 0) {
        target = drawTarget();
      }
      operate();
    }
    report();
  }

  private void operate() {
    Operation drawn = Operation.draw(random);
    if (drawn == Operation.ALLOCATE || drawn == Operation.RELEASE) {
      drawn = toTarget();
    }
    @Nullable Holding holding =
        drawn == Operation.ALLOCATE || drawn == Operation.TAKE_OVER ? null : takeAny();
    if (holding == null) {
      current = drawn == Operation.TAKE_OVER ? drawn : Operation.ALLOCATE;
    } else {
      current = fits(drawn, holding) ? drawn : Operation.CHECK;
    }
    counts[current.ordinal()]++;
    if (holding == null) {
      obtain();
    } else if (current == Operation.RELEASE) {
      release(holding);
    } else if (current == Operation.HAND_OVER) {
      keep(traffic.handOver().exchange(random, holding));
    } else {
      use(holding);
      keep(holding);
    }
  }

  /** Allocates where it has fewer buffers than it strives for, mostly, and else releases. */
  private Operation toTarget() {
    if (holdings.isEmpty()) {
      return Operation.ALLOCATE;
    }
    if (traffic.isFull(0)) {
      return Operation.RELEASE;
    }
    boolean more = holdings.size() < target;
    return more == (random.nextInt(4) > 0) ? Operation.ALLOCATE : Operation.RELEASE;
  }

  private boolean fits(Operation operation, Holding holding) {
    return switch (operation) {
      case GROW_CAPACITY, GROW_WRITING, GROW_ENSURING ->
          holding.isExclusive() && holding.length() < LARGEST_GROWN && !traffic.isFull(LARGE);
      case COPY -> !traffic.isFull(LARGE);
      case SHRINK, NIO_VIEW -> holding.isExclusive();
      default -> true;
    };
  }

  private void obtain() {
    if (current == Operation.ALLOCATE) {
      keep(allocate());
    } else {
      Holding inherited = random.nextBoolean() ? traffic.handOver().inherit() : null;
      keep(inherited != null ? inherited : traffic.handOver().exchange(random, null));
    }
  }

  private void use(Holding holding) {
    switch (current) {
      case GROW_CAPACITY, GROW_WRITING, GROW_ENSURING -> grow(holding);
      case SHRINK -> shrink(holding);
      case SLICE -> slice(holding);
      case DUPLICATE -> share(holding.derived(holding.buffer().retainedDuplicate(), 0));
      case RETAIN_RELEASE -> retainAndRelease(holding);
      case COPY -> copy(holding);
      case NIO_VIEW -> useView(holding);
      default -> checkPart(holding);
    }
  }

  private Holding allocate() {
    int bytes = sizes.draw(random);
    if (bytes >= LARGE && traffic.isFull(bytes)) {
      bytes %= LARGE;
    }
    ByteBuf buffer = traffic.allocate(random, bytes);
    if (buffer.capacity() != bytes || buffer.refCnt() != 1) {
      throw new SoakFailure("asked for %,d bytes, got %s".formatted(bytes, buffer));
    }
    return begin(buffer);
  }

  /** Gives a buffer that has one reference its identity. */
  private Holding begin(ByteBuf buffer) {
    long id = Identity.of(life, ++allocated);
    stamp.write(buffer, id, 0, buffer.capacity());
    charge(buffer.capacity());
    return Holding.of(buffer, id);
  }

  private void release(Holding holding) {
    stamp.check(holding);
    boolean last = holding.isExclusive();
    charge(-holding.keptBytes());
    if (!holding.buffer().release() && last) {
      throw new SoakFailure("the only reference was released, and the buffer was not: " + holding);
    }
  }

  private void grow(Holding holding) {
    ByteBuf buffer = holding.buffer();
    int before = holding.length();
    int most = Math.min(LARGEST_GROWN, buffer.maxCapacity()); // a copy of a slice has less
    int wanted = Math.min(most, before + sizes.draw(random));
    int written = before;
    if (current == Operation.GROW_CAPACITY) {
      buffer.capacity(wanted);
    } else {
      buffer.setIndex(0, before);
      if (current == Operation.GROW_WRITING) {
        stamp.append(buffer, holding.id(), before, wanted);
        written = wanted;
      } else {
        buffer.ensureWritable(wanted - before);
      }
      buffer.clear();
    }
    if (buffer.capacity() < wanted) {
      throw new SoakFailure(
          "grown to %,d bytes, not %,d: %s".formatted(buffer.capacity(), wanted, holding));
    }
    stamp.check(holding);
    charge(buffer.capacity() - before);
    stamp.write(buffer, holding.id(), written, buffer.capacity());
    holding.resized();
  }

  private void shrink(Holding holding) {
    int before = holding.length();
    holding.buffer().capacity(random.nextInt(before + 1));
    holding.resized();
    charge(holding.length() - before);
  }

  private void slice(Holding holding) {
    int from = random.nextInt(holding.length() + 1);
    int length = random.nextInt(holding.length() - from + 1);
    share(holding.derived(holding.buffer().retainedSlice(from, length), from));
  }

  private void share(Holding derived) {
    charge(derived.keptBytes());
    keep(traffic.handOver().exchange(random, derived));
  }

  private static void retainAndRelease(Holding holding) {
    ByteBuf buffer = holding.buffer().retain();
    if (buffer.refCnt() < 2 || buffer.release()) {
      throw new SoakFailure("released while it is held: " + holding);
    }
  }

  private void copy(Holding holding) {
    int from = random.nextInt(holding.length() + 1);
    int length = Math.min(random.nextInt(holding.length() - from + 1), LARGE);
    ByteBuf copy = holding.buffer().copy(from, length);
    stamp.check(holding.derived(copy, from));
    keep(begin(copy));
  }

  /** Wipes a part and writes it again through a view, with the other view in between. */
  private void useView(Holding holding) {
    ByteBuf buffer = holding.buffer();
    int from = random.nextInt(holding.length() + 1);
    int length = Math.min(PART_BYTES, holding.length() - from);
    buffer.setZero(from, length);
    ByteBuffer view =
        random.nextBoolean()
            ? buffer.nioBuffer(from, length)
            : buffer.internalNioBuffer(from, length);
    if (view.remaining() != length) {
      throw new SoakFailure("a view of %d bytes is %s: %s".formatted(length, view, holding));
    }
    stamp.write(view, holding.id(), from);
    stamp.check(holding, from, from + length);
  }

  private void checkPart(Holding holding) {
    int from =
        holding.length() <= PART_BYTES ? 0 : random.nextInt(holding.length() - PART_BYTES + 1);
    stamp.check(holding, from, Math.min(holding.length(), from + PART_BYTES));
  }

  private void keep(@Nullable Holding holding) {
    if (holding != null) {
      holdings.add(holding);
    }
  }

  private @Nullable Holding takeAny() {
    int last = holdings.size() - 1;
    if (last < 0) {
      return null;
    }
    int index = drawIndex(last);
    Holding taken = holdings.get(index);
    holdings.set(index, holdings.get(last));
    holdings.remove(last);
    return taken;
  }

  /** Mostly one of the latest, as programs do: old ones are not in the processor's caches. */
  private int drawIndex(int last) {
    return random.nextInt(OLD_IN) == 0
        ? random.nextInt(last + 1)
        : last - random.nextInt(Math.min(last + 1, LATEST));
  }

  private int drawTarget() {
    return 1 << random.nextInt(LARGEST_TARGET_BITS);
  }

  private void charge(long bytes) {
    unreportedBytes += bytes;
    if (Math.abs(unreportedBytes) >= LARGE) {
      reportKept();
    }
  }

  private void report() {
    traffic.tally().addAndClear(counts);
    traffic.tally().addChecked(stamp.takeCheckedBytes());
    reportKept();
  }

  private void reportKept() {
    traffic.tally().addKept(unreportedBytes);
    unreportedBytes = 0;
  }
}
