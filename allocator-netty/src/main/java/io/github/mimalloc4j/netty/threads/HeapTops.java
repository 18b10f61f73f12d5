package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.memory.Pause;
import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogger;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Freed memory that is held back until the native heap was trimmed: in each heap of an arena of
 * glibc's that at the highest address.
 *
 * <p>A trim gives back whatever is free between chunks in use, but not the free top of such a heap.
 * A top shrinks only when memory beside it is freed and it is large then: twice as large as the
 * largest chunk that the process has had mapped for itself and freed, so up to 64 MiB in each
 * arena. While the topmost segment of a heap is still there, a trim gives back all below it. Freed
 * after that, it adds no more than itself to what stays resident.
 *
 * <p>Thread-safe. Needs Java heap for its first elements only.
 */
final class HeapTops {

  /** Heaps of arenas are aligned to the largest size that they have, 64 MiB. */
  static final int HEAP_SHIFT = 26;

  private static final int FIRST_LENGTH = 16;

  /**
   * More are not held, so that nobody goes over a long list. There are eight arenas a processor.
   */
  static final int MOST_HEAPS = 256;

  private static final InternalLogger logger = AllocatorLogger.get();

  /** At most one of each heap, in no order; null from {@link #count} on. Guarded by this. */
  private @Nullable FreedMemory[] held = new FreedMemory[0];

  /** Written under the monitor. */
  private volatile int count;

  /** How many were taken out and are being freed. Counted up under the monitor. */
  private final AtomicInteger freeing = new AtomicInteger();

  /**
   * Takes memory that is to be freed, and frees what it then need not hold: this or another one.
   */
  void hold(FreedMemory memory) {
    FreedMemory lower = memory;
    try {
      lower = holdTopmost(memory);
    } catch (OutOfMemoryError e) {
      // There is no Java heap for it just now.
    }
    if (lower == memory) {
      free(memory);
    } else if (lower != null) {
      freeTaken(lower);
    }
  }

  /**
   * Frees all of it.
   *
   * @return how many bytes it is
   */
  long release() {
    long bytes = 0;
    while (count > 0) {
      FreedMemory memory = take();
      if (memory != null) {
        bytes += memory.bytes();
        freeTaken(memory);
      }
    }
    return bytes;
  }

  /** Frees all of it, and waits for what other threads are freeing. */
  void releaseAndAwait() {
    release();
    for (int attempt = 0; freeing.get() > 0; attempt++) {
      Pause.after(attempt);
    }
  }

  private void freeTaken(FreedMemory memory) {
    try {
      free(memory);
    } finally {
      freeing.decrementAndGet();
    }
  }

  /** Who frees it now may not be who gave it back, and shall not fail with it. */
  private static void free(FreedMemory memory) {
    try {
      memory.freeNow();
    } catch (Throwable e) {
      logger.warn("Memory that is not in use may not have been given back.", e);
    }
  }

  /** Returns what is not to be held: this, the lower one of two in a heap, or null for none. */
  private synchronized @Nullable FreedMemory holdTopmost(FreedMemory memory) {
    int heap = find(memory.address() >>> HEAP_SHIFT);
    if (heap < count) {
      FreedMemory other = held[heap];
      if (other == null || other.address() > memory.address()) {
        return memory;
      }
      held[heap] = memory;
      freeing.incrementAndGet();
      return other;
    }
    if (count == MOST_HEAPS) {
      return memory;
    }
    if (count == held.length) {
      held = Arrays.copyOf(held, Math.max(FIRST_LENGTH, 2 * count));
    }
    held[count] = memory;
    count++;
    return null;
  }

  /** Where memory of a heap is, or else the count. */
  private int find(long heap) {
    int i = 0;
    for (; i < count; i++) {
      FreedMemory memory = held[i];
      if (memory != null && memory.address() >>> HEAP_SHIFT == heap) {
        break;
      }
    }
    return i;
  }

  private synchronized @Nullable FreedMemory take() {
    if (count == 0) {
      return null;
    }
    int last = count - 1;
    FreedMemory memory = held[last];
    held[last] = null;
    freeing.incrementAndGet(); // before the count says that nothing is held
    count = last;
    return memory;
  }
}
