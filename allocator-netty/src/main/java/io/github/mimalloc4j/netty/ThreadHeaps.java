package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.BlockFactory;
import io.github.mimalloc4j.core.Heap;
import io.github.mimalloc4j.core.Heaps;
import io.github.mimalloc4j.core.MemorySource;
import io.github.mimalloc4j.core.SegmentSizing;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.ThreadExecutorMap;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The heaps of one kind of memory, and the way from the current thread to one of them.
 *
 * <p>A thread of a Netty event executor that cleans up its {@link FastThreadLocal}s owns a heap: it
 * tells when it ends, and can be reached by a task until then. All other threads, virtual ones
 * among them, share heaps, and nothing is kept for them.
 *
 * <p>Thread-safe.
 */
final class ThreadHeaps {

  private static final InternalLogger logger =
      InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);

  private final ByteBufAllocator allocator;
  private final Heaps<MiMallocByteBuf> heaps;

  /** The heap that a thread owns; null for a thread that owns none. */
  private final FastThreadLocal<@Nullable Heap<MiMallocByteBuf>> owned =
      new FastThreadLocal<>() {
        @Override
        protected @Nullable Heap<MiMallocByteBuf> initialValue() {
          return ThreadExecutorMap.currentExecutor() != null
                  && FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals()
              ? heaps.acquire()
              : null;
        }

        @Override
        protected void onRemoval(@Nullable Heap<MiMallocByteBuf> heap) {
          if (heap != null) {
            heaps.abandon(heap);
          }
        }
      };

  private ThreadHeaps(
      ByteBufAllocator allocator,
      SegmentSizing sizing,
      Source source,
      BlockFactory<MiMallocByteBuf> factory) {
    this.allocator = allocator;
    MemorySource memory = bytes -> source.allocate(this, bytes);
    heaps = new Heaps<>(memory, sizing, factory, ThreadHeaps::logDoubleRelease);
  }

  /**
   * Heaps of direct memory. Where memory cannot be accessed by any address, for want of Unsafe or
   * of unaligned access, their buffers go through an NIO buffer.
   */
  static ThreadHeaps direct(ByteBufAllocator allocator, SegmentSizing sizing) {
    BlockFactory<MiMallocByteBuf> factory =
        PlatformDependent.hasUnsafe() && PlatformDependent.isUnaligned()
            ? (page, slot, memory, offset) ->
                new AddressByteBuf(page, slot, (DirectMemory) memory, offset)
            : (page, slot, memory, offset) ->
                new NioByteBuf(page, slot, (DirectMemory) memory, offset);
    return new ThreadHeaps(allocator, sizing, DirectMemory::allocate, factory);
  }

  /** Heaps of memory on the Java heap. */
  static ThreadHeaps array(ByteBufAllocator allocator, SegmentSizing sizing) {
    return new ThreadHeaps(
        allocator,
        sizing,
        ArrayMemory::allocate,
        (page, slot, memory, offset) -> new ArrayByteBuf(page, slot, (ArrayMemory) memory, offset));
  }

  /**
   * Takes a free block; it is no buffer before {@link MiMallocByteBuf#begin}.
   *
   * @throws OutOfMemoryError if there is no memory even after everything within reach was trimmed
   */
  MiMallocByteBuf allocate(int bytes) {
    // Asked first: other threads keep their FastThreadLocals in a map that would have to be made.
    if (Thread.currentThread() instanceof FastThreadLocalThread) {
      Heap<MiMallocByteBuf> heap = owned.get();
      if (heap != null) {
        return heap.allocate(bytes);
      }
    }
    return heaps.allocateShared(bytes);
  }

  ByteBufAllocator allocator() {
    return allocator;
  }

  /** The bytes obtained from the system, in use or not. */
  long usedBytes() {
    return heaps.usedBytes();
  }

  /** The bytes of the blocks in use. */
  long pinnedBytes() {
    return heaps.liveBytes();
  }

  /** For tests, which check their invariants. */
  Heaps<MiMallocByteBuf> heaps() {
    return heaps;
  }

  private static void logDoubleRelease() {
    logger.error(
        "A buffer was released twice at the same time, by the thread that allocated it and by"
            + " another one. The second release was dropped, but the buffer may have been in use by"
            + " others already: the application releases a buffer that it does not hold.");
  }

  @FunctionalInterface
  private interface Source {
    BufferMemory allocate(ThreadHeaps heaps, int bytes);
  }
}
