package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does in one step. All of an operation is here: how often it is drawn, which
 * holdings it fits, and what it does with one.
 */
enum Operation {
  ALLOCATE(16, null, (worker, none) -> allocate(worker)),
  TAKE_OVER(10, null, (worker, none) -> worker.traffic.handedOver.poll()),
  /** Checks the whole stamp before. */
  RELEASE(16, Operation::any, Operation::release),
  /** Leaves a holding to whoever takes it. */
  HAND_OVER(7, Operation::any, Operation::handOver),
  /** By {@code capacity(n)}. */
  GROW_CAPACITY(1, Operation::isGrowable, Operation::growByCapacity),
  GROW_WRITING(1, Operation::isGrowable, Operation::growByWriting),
  /** By {@code ensureWritable}. */
  GROW_ENSURING(1, Operation::isGrowable, Operation::growByEnsuring),
  SHRINK(2, Operation::isExclusive, Operation::shrink),
  /** The slice is handed over at once. */
  SLICE(2, Operation::any, Operation::slice),
  /** The duplicate is handed over at once. */
  DUPLICATE(1, Operation::any, Operation::duplicate),
  RETAIN_RELEASE(4, Operation::any, Operation::retainAndRelease),
  COPY(1, Operation::isRoom, Operation::copy),
  NIO_VIEW(3, Operation::isExclusive, Operation::rewriteThroughView),
  /** Also what becomes of an operation that the drawn holding does not fit. */
  CHECK(4, Operation::any, Operation::checkPart);

  /** Buffers are not grown beyond, or those that grow again and again would fill the memory. */
  private static final int LARGEST_GROWN = 4 << 20;

  /** Parts of this size are checked and written where the buffer is not released. */
  private static final int PART_BYTES = 16 << 10;

  private static final Operation[] WEIGHTED =
      Arrays.stream(values())
          .flatMap(each -> Collections.nCopies(each.weight, each).stream())
          .toArray(Operation[]::new);

  /** Returns what the worker holds afterwards, if anything. */
  @FunctionalInterface
  private interface Step {
    @Nullable Holding apply(Worker worker, Holding holding);
  }

  private final int weight;

  /** Which holdings it fits; null if it needs none. */
  private final @Nullable BiPredicate<Worker, Holding> fit;

  private final Step step;

  Operation(int weight, @Nullable BiPredicate<Worker, Holding> fit, Step step) {
    this.weight = weight;
    this.fit = fit;
    this.step = step;
  }

  static Operation draw(SplittableRandom random) {
    return WEIGHTED[random.nextInt(WEIGHTED.length)];
  }

  boolean needsHolding() {
    return fit != null;
  }

  boolean fits(Worker worker, Holding holding) {
    return fit != null && fit.test(worker, holding);
  }

  /**
   * Does it, with a holding that it fits. Returns what the worker holds in its place, if anything.
   */
  @Nullable Holding apply(Worker worker, @Nullable Holding holding) {
    return step.apply(worker, holding);
  }

  private static boolean any(Worker worker, Holding holding) {
    return true;
  }

  /** Changing what others see would not be legal. */
  private static boolean isExclusive(Worker worker, Holding holding) {
    return holding.isExclusive();
  }

  private static boolean isRoom(Worker worker, Holding holding) {
    return !worker.traffic.isFull(Worker.LARGE);
  }

  private static boolean isGrowable(Worker worker, Holding holding) {
    return holding.isExclusive() && holding.length() < LARGEST_GROWN && isRoom(worker, holding);
  }

  private static @Nullable Holding allocate(Worker worker) {
    int bytes = worker.drawSize();
    if (bytes >= Worker.LARGE && worker.traffic.isFull(bytes)) {
      bytes %= Worker.LARGE;
    }
    ByteBuf buffer;
    try {
      buffer = worker.traffic.allocate(worker.random, bytes);
    } catch (RuntimeException | Error e) {
      worker.traffic.bear(e);
      return null;
    }
    if (buffer.capacity() != bytes || buffer.refCnt() != 1) {
      throw new SoakFailure("asked for %,d bytes, got %s".formatted(bytes, buffer));
    }
    return worker.begin(buffer);
  }

  private static @Nullable Holding release(Worker worker, Holding holding) {
    worker.stamp.check(holding);
    boolean last = holding.isExclusive();
    worker.charge(-holding.keptBytes());
    if (!holding.buffer().release() && last) {
      throw new SoakFailure("the only reference was released, but the buffer was not: " + holding);
    }
    return null;
  }

  private static @Nullable Holding handOver(Worker worker, Holding holding) {
    return worker.traffic.handedOver.offer(holding) ? null : holding;
  }

  private static Holding growByCapacity(Worker worker, Holding holding) {
    return grow(worker, holding, (buffer, wanted) -> buffer.capacity(wanted));
  }

  private static Holding growByWriting(Worker worker, Holding holding) {
    return grow(
        worker,
        holding,
        (buffer, wanted) ->
            worker.stamp.append(buffer.setIndex(0, holding.length()), holding.id(), wanted));
  }

  private static Holding growByEnsuring(Worker worker, Holding holding) {
    int length = holding.length();
    return grow(
        worker,
        holding,
        (buffer, wanted) -> buffer.setIndex(0, length).ensureWritable(wanted - length));
  }

  /** Checks that the bytes are still there, and stamps those that have been added. */
  private static Holding grow(Worker worker, Holding holding, ObjIntConsumer<ByteBuf> growth) {
    ByteBuf buffer = holding.buffer();
    int most = Math.min(LARGEST_GROWN, buffer.maxCapacity()); // a slice's copy has less
    int wanted = Math.min(most, holding.length() + worker.drawSize());
    try {
      growth.accept(buffer, wanted);
    } catch (RuntimeException | Error e) {
      worker.traffic.bear(e);
      wanted = holding.length(); // it has grown part of the way, or not at all
    }
    int stamped = Math.max(holding.length(), buffer.writerIndex());
    buffer.clear();
    if (buffer.capacity() < wanted) {
      throw new SoakFailure(
          "grown to %,d bytes, not %,d: %s".formatted(buffer.capacity(), wanted, holding));
    }
    worker.stamp.check(holding);
    worker.stamp.write(buffer, holding.id(), stamped, buffer.capacity());
    return resized(worker, holding);
  }

  private static Holding resized(Worker worker, Holding holding) {
    worker.charge(holding.buffer().capacity() - holding.length());
    return Holding.of(holding.buffer(), holding.id());
  }

  private static Holding shrink(Worker worker, Holding holding) {
    int wanted = worker.random.nextInt(holding.length() + 1);
    ByteBuf buffer = holding.buffer().capacity(wanted);
    if (buffer.capacity() != wanted) {
      throw new SoakFailure(
          "shrunk to %,d bytes, not %,d: %s".formatted(buffer.capacity(), wanted, holding));
    }
    return resized(worker, holding);
  }

  private static Holding slice(Worker worker, Holding holding) {
    int from = worker.random.nextInt(holding.length() + 1);
    int length = worker.random.nextInt(holding.length() - from + 1);
    return share(worker, holding, holding.buffer().retainedSlice(from, length), from, length);
  }

  private static Holding duplicate(Worker worker, Holding holding) {
    return share(worker, holding, holding.buffer().retainedDuplicate(), 0, holding.length());
  }

  private static Holding share(
      Worker worker, Holding holding, ByteBuf derived, int from, int length) {
    if (derived.capacity() != length) {
      throw new SoakFailure("shared %,d bytes, got %s of %s".formatted(length, derived, holding));
    }
    Holding shared = holding.derived(derived, from);
    worker.charge(shared.keptBytes());
    worker.keep(handOver(worker, shared));
    return holding;
  }

  private static Holding retainAndRelease(Worker worker, Holding holding) {
    ByteBuf buffer = holding.buffer().retain();
    if (buffer.refCnt() < 2 || buffer.release()) {
      throw new SoakFailure("released while still held: " + holding);
    }
    return holding;
  }

  private static Holding copy(Worker worker, Holding holding) {
    int from = worker.random.nextInt(holding.length() + 1);
    int length = Math.min(worker.random.nextInt(holding.length() - from + 1), Worker.LARGE);
    ByteBuf copy;
    try {
      copy = holding.buffer().copy(from, length);
    } catch (RuntimeException | Error e) {
      worker.traffic.bear(e);
      return holding;
    }
    if (copy.capacity() != length || copy.refCnt() != 1) {
      throw new SoakFailure("copied %,d bytes, got %s of %s".formatted(length, copy, holding));
    }
    worker.stamp.check(holding.derived(copy, from));
    worker.keep(worker.begin(copy));
    return holding;
  }

  /** Wipes a part and writes it again through a view. */
  private static Holding rewriteThroughView(Worker worker, Holding holding) {
    ByteBuf buffer = holding.buffer();
    int from = worker.random.nextInt(holding.length() + 1);
    int length = Math.min(PART_BYTES, holding.length() - from);
    buffer.setZero(from, length);
    ByteBuffer view =
        worker.random.nextBoolean()
            ? buffer.nioBuffer(from, length)
            : buffer.internalNioBuffer(from, length);
    if (view.remaining() != length) {
      throw new SoakFailure("a view of %d bytes is %s: %s".formatted(length, view, holding));
    }
    worker.stamp.write(view, holding.id(), from);
    worker.stamp.check(holding, from, from + length);
    return holding;
  }

  private static Holding checkPart(Worker worker, Holding holding) {
    int from = worker.random.nextInt(Math.max(1, holding.length() - PART_BYTES + 1));
    worker.stamp.check(holding, from, Math.min(holding.length(), from + PART_BYTES));
    return holding;
  }
}
