package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/** What all workers share, and what they have done so far, batch by batch. Thread-safe. */
final class Traffic {
  private static final int MOST_HANDED_OVER = 512;
  private static final int ONE_ON_HEAP_IN = 4;

  /** What threads have handed over and no other has taken yet. */
  final MpmcAtomicArrayQueue<Holding> handedOver = new MpmcAtomicArrayQueue<>(MOST_HANDED_OVER);

  private final ByteBufAllocator allocator;
  private final @Nullable Failures failures;
  private final SoakOptions options;
  private final AtomicLongArray counts = new AtomicLongArray(Operation.values().length);
  private final AtomicLong checkedBytes = new AtomicLong();
  private final AtomicLong keptBytes = new AtomicLong();

  Traffic(Subject subject, SoakOptions options) {
    allocator = subject.allocator;
    failures = subject.failures;
    this.options = options;
  }

  ByteBuf allocate(SplittableRandom random, int bytes) {
    List<BufferKind> kinds = options.kinds();
    BufferKind kind =
        kinds.size() == 1
            ? kinds.get(0)
            : random.nextInt(ONE_ON_HEAP_IN) == 0 ? BufferKind.HEAP : BufferKind.DIRECT;
    return kind == BufferKind.DIRECT ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  /** Rethrows what an operation failed with unless that is meant to fail: then nothing changed. */
  void bear(Throwable failure) {
    if (failures == null || !Failures.isExpected(failure)) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure; // operations declare no other
    }
    failures.bear();
  }

  /** Whether so much more would be too much. */
  boolean isFull(long moreBytes) {
    return keptBytes() + moreBytes > options.liveBytes();
  }

  /** Adds a batch's counts, by the operations' ordinals, and sets them to zero. */
  void addAndClear(int[] batch, long checked) {
    for (int i = 0; i < batch.length; i++) {
      counts.addAndGet(i, batch[i]);
    }
    Arrays.fill(batch, 0);
    checkedBytes.addAndGet(checked);
  }

  void addKept(long bytes) {
    keptBytes.addAndGet(bytes);
  }

  long operations() {
    return byOperation().values().stream().mapToLong(Long::longValue).sum();
  }

  Map<Operation, Long> byOperation() {
    Map<Operation, Long> all = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      all.put(operation, counts.get(operation.ordinal()));
    }
    return all;
  }

  long checkedBytes() {
    return checkedBytes.get();
  }

  /** The bytes that holdings keep, those of shared buffers once for each reference. */
  long keptBytes() {
    return keptBytes.get();
  }
}
