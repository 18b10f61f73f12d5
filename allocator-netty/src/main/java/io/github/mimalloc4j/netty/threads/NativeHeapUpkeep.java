package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.heap.Upkeep;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.StackRoom;
import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.system.NativeHeap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Trims the native heap, on the upkeep thread, after all allocators together have freed enough
 * direct memory. Schedules nothing while nothing is due ({@link Upkeep}).
 *
 * <p>Thread-safe.
 */
final class NativeHeapUpkeep implements SegmentListener {

  /** The minimum of freed bytes for which a trim is worthwhile, however little is used. */
  static final long MIN_BYTES = 2 << 20;

  /** A trim is due when the freed bytes reach one part in this many of the used bytes. */
  static final long USED_SHARE = 32;

  /**
   * The delay from the moment when enough was freed to the trim. Thread heaps give back their
   * pages, and the pool its segments, within some hundred milliseconds of each other; one trim
   * serves them all.
   */
  static final long DELAY_MILLIS = 500;

  /**
   * The pause after a trim, as a multiple of the trim's duration, since threads that obtain or free
   * native memory may wait for a trim.
   */
  static final long PAUSE_FACTOR = 10;

  /**
   * The maximum size of memory that the C library may take from an arena. Only such memory is worth
   * holding. The C library maps larger memory on its own (M_MMAP_THRESHOLD in mallopt(3), 64-bit
   * systems).
   */
  static final int MAX_HELD_BYTES = 32 << 20;

  /** Shared by all allocators, because the process has one native heap. */
  static final NativeHeapUpkeep PROCESS =
      new NativeHeapUpkeep(NativeHeap.PROCESS, UpkeepThread.executor(), System::nanoTime);

  private final NativeHeap nativeHeap;
  private final LongSupplier nanoClock;
  private final Upkeep upkeep;

  /** The bytes that all allocators have obtained and not given back. */
  private final AtomicLong usedBytes = new AtomicLong();

  /** The bytes freed since the last trim and not obtained again; never negative. */
  private final AtomicLong freed = new AtomicLong();

  private final ArenaTops tops = new ArenaTops();

  /** The earliest start of the next automatic trim, as a time of the clock. */
  private volatile long notBefore;

  /**
   * Creates an instance for allocators that have obtained nothing yet.
   *
   * @param executor runs upkeep; a run that it refuses is requested again when memory is next freed
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
  public void segmentObtained(Memory memory, int bytes, boolean dedicated) {
    usedBytes.addAndGet(bytes);
    long before;
    do {
      before = freed.get();
    } while (before > 0 && !freed.compareAndSet(before, Math.max(0, before - bytes)));
  }

  @Override
  public void segmentFreed(Memory memory, int bytes, boolean dedicated) {
    usedBytes.addAndGet(-bytes);
    freed.addAndGet(bytes);
    if (isWorthwhile()) {
      upkeep.request();
    }
  }

  /**
   * Takes over memory that is to be freed, and frees it now, after the next trim, or before memory
   * is obtained.
   *
   * @return whether it was taken over; otherwise the caller has to free it
   */
  boolean hold(FreedMemory memory) {
    if (memory.bytes() > MAX_HELD_BYTES
        || memory.address() == Memory.NO_ADDRESS
        || !nativeHeap.isAvailable()) {
      return false;
    }
    tops.hold(memory);
    upkeep.request();
    return true;
  }

  /** Frees the memory held back. Called before memory is obtained, because limits count it. */
  void releaseHeld() {
    tops.releaseAndAwait();
  }

  /** Trims the native heap at once, on the calling thread. */
  void trim() {
    StackRoom.require();
    long before = freed.getAndSet(0); // what is freed from here on counts for the next trim
    long nanos = nativeHeap.trim();
    if (tops.release() >= MIN_BYTES) {
      nanos += nativeHeap.trim(); // for released memory not beside a top; little is left to do
    }
    if (nanos > 0) {
      notBefore = nanoClock.getAsLong() + nanos * PAUSE_FACTOR;
    } else { // it failed, for example because there is no Java heap
      freed.addAndGet(before);
      if (isWorthwhile()) {
        upkeep.request(); // a run may have found nothing meanwhile
      }
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
    return freed.get() >= Math.max(MIN_BYTES, usedBytes.get() / USED_SHARE)
        && nativeHeap.isAvailable();
  }

  /** Returns the milliseconds that the next trim has to wait, rounded up; 0 if it may begin. */
  private long earlyMillis() {
    long nanos = notBefore - nanoClock.getAsLong();
    return nanos > 0 ? TimeUnit.NANOSECONDS.toMillis(nanos) + 1 : 0;
  }
}
