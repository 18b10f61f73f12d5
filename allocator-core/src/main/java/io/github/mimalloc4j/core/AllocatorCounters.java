package io.github.mimalloc4j.core;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.heap.HeapCounts;
import io.github.mimalloc4j.core.heap.Upkeep;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * The counts of an allocator other than those of its heaps and its segment pool. Each event has a
 * method, called where the event happens. All events are rare.
 *
 * <p>Thread-safe.
 */
final class AllocatorCounters {

  private static final BinaryOperator<HeapCounts> PLUS = HeapCounts::plus;
  private static final BinaryOperator<HeapCounts> MAX = HeapCounts::max;
  private static final LongBinaryOperator GREATER = Math::max;

  /** The delay from the first double release counted to the report, which includes later ones. */
  private static final long REPORT_DELAY_MILLIS = 1;

  private final AllocatorListener listener;

  /** Reports mistakes later, because they are found in the middle of an operation on a heap. */
  private final Upkeep reports;

  private final AtomicLong adoptions = new AtomicLong();
  private final AtomicLong doubleReleases = new AtomicLong();
  private final AtomicLong reportedDoubleReleases = new AtomicLong();
  private final AtomicLong outOfMemoryRetries = new AtomicLong();

  /** The sum of the counts of discarded heaps. */
  private final AtomicReference<HeapCounts> discarded = new AtomicReference<>(HeapCounts.NONE);

  /** The greatest sums read until now. */
  private final AtomicReference<HeapCounts> greatest = new AtomicReference<>(HeapCounts.NONE);

  /**
   * Creates counters that are zero.
   *
   * @param listener also receives the events
   * @param executor runs the reports of mistakes, outside of all heaps
   */
  AllocatorCounters(AllocatorListener listener, UpkeepExecutor executor) {
    this.listener = listener;
    reports = new Upkeep(executor, REPORT_DELAY_MILLIS, this::report, () -> {});
  }

  void adopted() {
    adoptions.incrementAndGet();
    listener.adopted();
  }

  void retriedForMemory(long usedBytes) {
    outOfMemoryRetries.incrementAndGet();
    listener.retriedForMemory(usedBytes);
  }

  /** Counts a mistake of a user that a heap found. It is reported later. */
  void doubleReleaseCaught() {
    doubleReleases.incrementAndGet(); // before the request: U1
    reports.request();
  }

  /**
   * Reports the mistakes counted since the last report. Called in no heap and under no lock,
   * because the listener may allocate. If the listener throws, the mistakes still count as
   * reported.
   */
  void report() {
    long caught = doubleReleases.get();
    long reported = reportedDoubleReleases.getAndAccumulate(caught, GREATER);
    if (caught > reported) {
      listener.doubleReleasesCaught(caught - reported);
    }
  }

  /** Adds the counts of heaps. Called after they were removed from the allocator's heaps: N1. */
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

  /** Returns the sum of the counts of discarded heaps. Read before the other heaps: N1. */
  HeapCounts ofDiscarded() {
    return requireNonNull(discarded.get());
  }

  /**
   * Returns a sum that never decreases, given one that was read while other threads counted and may
   * have missed some counts.
   */
  HeapCounts atLeastAsBefore(HeapCounts sum) {
    return requireNonNull(greatest.accumulateAndGet(sum, MAX));
  }
}
