package io.github.mimalloc4j.core;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.heap.HeapCounts;
import io.github.mimalloc4j.core.heap.HeapListener;
import io.github.mimalloc4j.core.heap.Upkeep;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * What an allocator counts besides what its heaps and its segment pool do: a method for each event,
 * called where it happens. All are rare.
 *
 * <p>Thread-safe.
 */
final class AllocatorCounters implements HeapListener {

  private static final BinaryOperator<HeapCounts> PLUS = HeapCounts::plus;
  private static final BinaryOperator<HeapCounts> MAX = HeapCounts::max;
  private static final LongBinaryOperator GREATER = Math::max;

  /** From the first double release that is counted until it is told, with those of meanwhile. */
  private static final long TELL_DELAY_MILLIS = 1;

  private final AllocatorListener listener;

  /** Tells of mistakes, which are found in the midst of an operation on a heap. */
  private final Upkeep telling;

  private final AtomicLong adoptions = new AtomicLong();
  private final AtomicLong doubleReleases = new AtomicLong();
  private final AtomicLong toldDoubleReleases = new AtomicLong();
  private final AtomicLong outOfMemoryRetries = new AtomicLong();

  /** What the heaps counted that are gone. */
  private final AtomicReference<HeapCounts> discarded = new AtomicReference<>(HeapCounts.NONE);

  /** The greatest sums that were read until now. */
  private final AtomicReference<HeapCounts> greatest = new AtomicReference<>(HeapCounts.NONE);

  /**
   * Makes counters that are zero.
   *
   * @param listener is told as well
   * @param executor runs what tells it of mistakes, outside of all heaps
   */
  AllocatorCounters(AllocatorListener listener, UpkeepExecutor executor) {
    this.listener = listener;
    telling = new Upkeep(executor, TELL_DELAY_MILLIS, this::tell, () -> {});
  }

  void adopted() {
    adoptions.incrementAndGet();
    listener.adopted();
  }

  void retriedForMemory(long usedBytes) {
    outOfMemoryRetries.incrementAndGet();
    listener.retriedForMemory(usedBytes);
  }

  @Override
  public void doubleReleaseCaught() {
    doubleReleases.incrementAndGet(); // before the request: U1
    telling.request();
  }

  /**
   * Tells of the mistakes that were counted since. In no heap, and under no lock: the listener may
   * allocate. If it throws, they are told nevertheless.
   */
  void tell() {
    long caught = doubleReleases.get();
    long told = toldDoubleReleases.getAndAccumulate(caught, GREATER);
    if (caught > told) {
      listener.doubleReleasesCaught(caught - told);
    }
  }

  /** Takes over what heaps counted. After they were taken out of the allocator's heaps: N1. */
  void discarded(HeapCounts counts) {
    discarded.accumulateAndGet(counts, PLUS);
  }

  long adoptions() {
    return adoptions.get();
  }

  long doubleReleases() {
    return doubleReleases.get();
  }

  long outOfMemoryRetries() {
    return outOfMemoryRetries.get();
  }

  /** What the heaps counted that are gone. To be read before one looks at the others: N1. */
  HeapCounts ofDiscarded() {
    return requireNonNull(discarded.get());
  }

  /**
   * Of a sum that was read while others counted, and may have missed some, makes one that grows.
   */
  HeapCounts atLeastAsBefore(HeapCounts sum) {
    return requireNonNull(greatest.accumulateAndGet(sum, MAX));
  }
}
