package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.heap.Upkeep;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.events.Located;
import io.github.mimalloc4j.netty.system.NativeHeap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Has the native heap trimmed after enough direct memory was freed, whichever allocators it was of,
 * on the upkeep thread. While nothing is due nothing is scheduled ({@link Upkeep}).
 *
 * <p>Thread-safe.
 */
final class NativeHeapUpkeep implements SegmentListener {

  /** Less than that is not worth a call, however little is held. */
  static final long MIN_BYTES = 2 << 20;

  /** What has to be freed beside memory in use: one part in as many of that. */
  static final long HELD_SHARE = 32;

  /**
   * From the moment when enough was freed. Heaps give back their pages, and the pool its segments,
   * within some hundred milliseconds of each other: one trim is for all of them.
   */
  static final long DELAY_MILLIS = 500;

  /**
   * How many times as long as the last trim took the next one is put off: threads that obtain or
   * free native memory may wait for a trim.
   */
  static final long PAUSE_FACTOR = 10;

  /** For all allocators: the native heap is the process's. */
  static final NativeHeapUpkeep PROCESS =
      new NativeHeapUpkeep(NativeHeap.PROCESS, UpkeepThread.executor(), System::nanoTime);

  private final NativeHeap nativeHeap;
  private final LongSupplier nanoClock;
  private final Upkeep upkeep;

  /** What allocators hold. */
  private final AtomicLong held = new AtomicLong();

  /** What was freed since the last trim, as far as it was not obtained again; never negative. */
  private final AtomicLong freed = new AtomicLong();

  private final HeapTops tops = new HeapTops();

  /** On the clock, the earliest beginning of the next trim that nobody asks for. */
  private volatile long notBefore;

  /**
   * Makes one of no memory.
   *
   * @param executor runs what is due; what it refuses is due with the next memory that is freed
   */
  NativeHeapUpkeep(NativeHeap nativeHeap, UpkeepExecutor executor, LongSupplier nanoClock) {
    this.nativeHeap = nativeHeap;
    this.nanoClock = nanoClock;
    notBefore = nanoClock.getAsLong();
    upkeep =
        new Upkeep(
            (task, delay) -> executor.execute(task, Math.max(delay, earlyMillis())),
            DELAY_MILLIS,
            this::keepUp,
            () -> {});
  }

  @Override
  public void segmentObtained(Memory memory, int bytes) {
    held.addAndGet(bytes);
    long before;
    do {
      before = freed.get();
    } while (before > 0 && !freed.compareAndSet(before, Math.max(0, before - bytes)));
  }

  @Override
  public void segmentFreed(Memory memory, int bytes) {
    held.addAndGet(-bytes);
    freed.addAndGet(bytes);
    if (isWorthwhile()) {
      upkeep.request();
    }
  }

  /**
   * Takes memory that is to be freed, which is done sooner or later: now, or after the next trim,
   * or before memory is obtained.
   *
   * @return whether it was taken; otherwise the caller has to free it
   */
  boolean hold(FreedMemory memory) {
    if (memory.address() == Located.NO_ADDRESS || !nativeHeap.isAvailable()) {
      return false;
    }
    tops.hold(memory);
    upkeep.request();
    return true;
  }

  /** For who is about to obtain memory: no limit is to count what is held back, or exceed. */
  void releaseHeld() {
    tops.releaseAndAwait();
  }

  /** Trims the native heap at once, on the calling thread. */
  void trim() {
    long before = freed.getAndSet(0); // what is freed from here on is the next one's
    long nanos = nativeHeap.trim();
    if (tops.release() >= MIN_BYTES) {
      nanos += nativeHeap.trim(); // of what is beside no top; there is little left to do
    }
    if (nanos > 0) {
      notBefore = nanoClock.getAsLong() + nanos * PAUSE_FACTOR;
    } else {
      freed.addAndGet(before);
    }
  }

  /** For tests. */
  long freedBytes() {
    return freed.get();
  }

  private void keepUp() {
    if (isWorthwhile()) {
      if (earlyMillis() > 0) {
        upkeep.request();
      } else {
        trim();
      }
    } else {
      tops.release();
    }
  }

  private boolean isWorthwhile() {
    return freed.get() >= Math.max(MIN_BYTES, held.get() / HELD_SHARE) && nativeHeap.isAvailable();
  }

  /** How long the next trim has to wait, rounded up; 0 if it may begin. */
  private long earlyMillis() {
    long nanos = notBefore - nanoClock.getAsLong();
    return nanos > 0 ? TimeUnit.NANOSECONDS.toMillis(nanos) + 1 : 0;
  }
}
