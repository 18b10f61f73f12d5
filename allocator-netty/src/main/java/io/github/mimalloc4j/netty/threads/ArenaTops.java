package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.memory.Pause;
import io.github.mimalloc4j.core.memory.StackRoom;
import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogLevel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Freed memory that is held back until the native heap is trimmed: in each heap of a glibc arena,
 * the memory at the highest address.
 *
 * <p>A trim gives back all free memory between chunks in use, but not the free top of such a heap.
 * A top shrinks only when memory beside it is freed and the top is then large: twice as large as
 * the largest chunk that was mapped on its own and has been freed, so up to 64 MiB in each arena.
 * While the topmost segment of a heap is still allocated, a trim gives back everything below it. If
 * the segment is freed after that, it adds no more than its own size to what stays resident.
 *
 * <p>Thread-safe. Needs Java heap only while its array grows, to at most {@link #MOST_HEAPS}
 * elements.
 */
final class ArenaTops {

  /** The binary logarithm of the alignment and maximum size of an arena's heaps, 64 MiB. */
  static final int HEAP_SHIFT = 26;

  private static final int FIRST_LENGTH = 16;

  /** The maximum number held, so that searches are short. There are eight arenas per processor. */
  static final int MOST_HEAPS = 256;

  /** At most one for each heap, in no order; null from {@link #count} on. Guarded by this. */
  private @Nullable FreedMemory[] held = new FreedMemory[0];

  /** The number held. Written under the monitor. */
  private volatile int count;

  /**
   * The number taken out and being freed. Written under the monitor, by statements: were a call to
   * fail at the end of the stack, {@link #releaseAndAwait} would wait for ever.
   */
  private volatile int freeing;

  /**
   * Takes over memory that is to be freed. Frees what need not be held: this memory, other memory
   * of the same heap, or nothing.
   */
  void hold(FreedMemory memory) {
    FreedMemory lower = memory;
    Throwable failure = null;
    try {
      lower = holdTopmost(memory);
      if (lower != null) {
        lower.freeNow();
      }
    } catch (Throwable e) {
      failure = e;
    } finally {
      if (lower != null && lower != memory) {
        synchronized (this) {
          freeing--;
        }
      }
    }
    logFailure(failure);
  }

  /**
   * Frees all memory held.
   *
   * @return the bytes that this call freed
   */
  long release() {
    long bytes = 0;
    while (count > 0) {
      bytes += releaseOne();
    }
    return bytes;
  }

  private int releaseOne() {
    FreedMemory taken = null;
    int bytes = 0;
    Throwable failure = null;
    StackRoom.require(); // what is taken out is in nobody's hands until it is freed
    try {
      taken = take();
      if (taken != null) {
        taken.freeNow();
        bytes = taken.bytes();
      }
    } catch (Throwable e) {
      if (taken == null) {
        throw e;
      }
      failure = e;
    } finally {
      if (taken != null) {
        synchronized (this) {
          freeing--;
        }
      }
    }
    logFailure(failure); // only now: an appender may obtain memory, and so wait for this thread
    return bytes;
  }

  /** Frees all memory held, and waits for memory that other threads are freeing. */
  void releaseAndAwait() {
    release();
    for (int attempt = 0; freeing > 0; attempt++) {
      Pause.after(attempt);
    }
  }

  /** Logs a failure, because the caller may not be the one that gave this memory back. */
  private static void logFailure(@Nullable Throwable failure) {
    if (failure != null) {
      AllocatorLogger.logFailure(
          InternalLogLevel.WARN, "Unused memory may not have been given back.", failure);
    }
  }

  /**
   * Holds the memory if it is the topmost of its heap. Returns the memory not to be held, or null
   * for none: the lower one of two in a heap, or the argument if no more can be held.
   */
  private synchronized @Nullable FreedMemory holdTopmost(FreedMemory memory) {
    int heap = find(memory.address() >>> HEAP_SHIFT);
    if (heap < count) {
      FreedMemory other = held[heap];
      if (other == null || other.address() > memory.address()) {
        return memory;
      }
      held[heap] = memory;
      freeing++;
      return other;
    }
    if (count == MOST_HEAPS || (count == held.length && !grow())) {
      return memory;
    }
    held[count] = memory;
    count++;
    return null;
  }

  private boolean grow() {
    try {
      held = Arrays.copyOf(held, Math.max(FIRST_LENGTH, 2 * count));
      return true;
    } catch (OutOfMemoryError e) {
      return false; // no Java heap just now
    }
  }

  /** Returns the index of the memory held in a heap, or the count if there is none. */
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
    freeing++; // before the count says that nothing is held
    count = last;
    return memory;
  }
}
