package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.StatisticsReader;
import io.github.mimalloc4j.core.heap.BlockFactory;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.MemorySource;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.buffers.AddressByteBuf;
import io.github.mimalloc4j.netty.buffers.ArrayByteBuf;
import io.github.mimalloc4j.netty.buffers.ArrayMemory;
import io.github.mimalloc4j.netty.buffers.BufferMemory;
import io.github.mimalloc4j.netty.buffers.BufferSource;
import io.github.mimalloc4j.netty.buffers.DirectMemory;
import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.buffers.NioByteBuf;
import io.github.mimalloc4j.netty.events.AllocatorEvents;
import io.github.mimalloc4j.netty.options.Options;
import io.github.mimalloc4j.netty.options.Settings;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.internal.InternalThreadLocalMap;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.ThreadExecutorMap;
import org.jspecify.annotations.Nullable;

/**
 * The heaps of one kind of memory, and the mapping of the current thread to one of them.
 *
 * <p>A thread of a Netty event executor owns a heap. A task can reach such a thread or, if its
 * executor refuses tasks, it looks after its heap when it allocates. It reports its own end,
 * because its {@link FastThreadLocal}s are removed then, or its executor reports its termination,
 * and the end of the thread is polled for. All other threads, including most virtual threads, share
 * heaps. Nothing is stored for a thread that runs no executor: it might do so later, and the entry
 * would keep a closed allocator reachable. Nor is anything for that of {@link GlobalEventExecutor}.
 *
 * <p>Thread-safe. The library's only subclass is loaded if a debugging option is set.
 */
public class ThreadHeaps implements BufferSource {

  private final ByteBufAllocator allocator;
  private final boolean direct;
  private final boolean trimsNativeHeap;
  private final NativeHeapUpkeep nativeHeapUpkeep = NativeHeapUpkeep.PROCESS;
  private final OutOfMemoryReports outOfMemory;
  private final BlockAllocator<MiMallocByteBuf> blockAllocator;
  private final Runnable leaveIfClosed = this::leaveIfClosed;
  private final Runnable abandonEnded;

  /** The heap that a thread owns; null for a thread that owns none. */
  private final FastThreadLocal<@Nullable Heap<MiMallocByteBuf>> owned =
      new FastThreadLocal<>() {
        @Override
        protected void onRemoval(@Nullable Heap<MiMallocByteBuf> heap) {
          if (heap != null && !heap.callsOut()) { // else who looks for ended owners finds it
            UpkeepExecutor executor = heap.upkeepExecutor();
            blockAllocator.abandon(heap);
            forgetTermination(executor);
          }
        }
      };

  protected ThreadHeaps(
      ByteBufAllocator allocator,
      Settings settings,
      OutOfMemoryListener listener,
      boolean direct,
      MemoryFactory memories,
      BlockFactory<MiMallocByteBuf> factory) {
    this.allocator = allocator;
    this.direct = direct;
    outOfMemory = new OutOfMemoryReports(this, listener);
    if (direct) {
      DirectMemory.initialize();
    }
    NettyThreads.initialize();
    MemorySource memory =
        bytes -> {
          if (direct) {
            nativeHeapUpkeep.releaseHeld();
          }
          return memories.allocate(this, bytes);
        };
    long reachable = direct ? DirectMemory.reachableBytes() : ArrayMemory.reachableBytes();
    MemoryPolicy policy = settings.policy(direct, reachable);
    trimsNativeHeap = direct && settings.get(Options.TRIM_NATIVE_HEAP);
    SegmentListener segments = trimsNativeHeap ? nativeHeapUpkeep : SegmentListener.NONE;
    blockAllocator =
        new BlockAllocator<>(
            memory,
            policy,
            settings.maxSharedThreadHeaps(),
            factory,
            UpkeepThread.executor(),
            new AllocatorEvents(allocator, direct, segments));
    abandonEnded = blockAllocator::abandonEnded;
  }

  /** Returns heaps of direct memory or of memory on the Java heap. */
  public static ThreadHeaps of(
      ByteBufAllocator allocator, Settings settings, OutOfMemoryListener listener, boolean direct) {
    return new ThreadHeaps(allocator, settings, listener, direct, memories(direct), blocks(direct));
  }

  protected static MemoryFactory memories(boolean direct) {
    return direct ? DirectMemory::allocate : ArrayMemory::allocate;
  }

  protected static BlockFactory<MiMallocByteBuf> blocks(boolean direct) {
    if (!direct) {
      return (page, slot, memory, offset) ->
          new ArrayByteBuf(page, slot, (ArrayMemory) memory, offset);
    }
    return reachesAddresses()
        ? (page, slot, memory, offset) ->
            new AddressByteBuf(page, slot, (DirectMemory) memory, offset)
        : (page, slot, memory, offset) -> new NioByteBuf(page, slot, (DirectMemory) memory, offset);
  }

  /**
   * Returns whether direct buffers access their bytes by memory address. If Unsafe or unaligned
   * access is missing, they use an NIO buffer.
   */
  protected static boolean reachesAddresses() {
    return PlatformDependent.hasUnsafe() && PlatformDependent.isUnaligned();
  }

  /**
   * Takes a free block, which {@link MiMallocByteBuf#begin} makes a buffer.
   *
   * @throws OutOfMemoryError if there is no memory even after a trim of all memory within reach;
   *     the error states the bytes requested, used and live
   * @throws IllegalStateException if the allocator was closed
   */
  @Override
  public MiMallocByteBuf allocate(int bytes) {
    try {
      Thread current = Thread.currentThread();
      Heap<MiMallocByteBuf> heap =
          current instanceof FastThreadLocalThread ? owned.getIfExists() : null;
      if (heap == null) {
        heap = findOrAcquire(current);
      }
      return heap != null ? heap.allocate(bytes) : blockAllocator.allocateShared(bytes);
    } catch (IllegalStateException e) {
      leaveIfClosed(); // the executor may have refused the task that told of the close
      throw e;
    } catch (OutOfMemoryError e) {
      throw outOfMemory.report(requested(bytes), e);
    }
  }

  /** Returns the bytes of a buffer for which a block of that many was to be allocated. */
  protected int requested(int bytes) {
    return bytes;
  }

  /**
   * Gives back what the calling thread can reach, and asks the other owners to trim their heaps
   * soon. Also trims the native heap, unless that is off.
   *
   * @return the bytes given back to the system before this method returned
   */
  public long trim() {
    Heap<MiMallocByteBuf> own = ownedByCaller();
    if (own != null) {
      own.trim();
    }
    long given = blockAllocator.trim();
    if (trimsNativeHeap) {
      nativeHeapUpkeep.trim();
    }
    return given;
  }

  /** Ends all allocation. Owners abandon their heaps as soon as their executors have time. */
  public void close() {
    blockAllocator.close();
    leaveIfClosed();
  }

  private @Nullable Heap<MiMallocByteBuf> ownedByCaller() {
    return NettyThreads.isUnknownVirtual(Thread.currentThread()) ? null : owned.getIfExists();
  }

  /** Finds the calling thread's heap; acquires one if it runs an executor for the first time. */
  private @Nullable Heap<MiMallocByteBuf> findOrAcquire(Thread current) {
    if (NettyThreads.isUnknownVirtual(current)) {
      return null;
    }
    InternalThreadLocalMap map = InternalThreadLocalMap.getIfSet(); // slow here, so not repeated
    if (map == null) {
      return null;
    }
    if (owned.isSet(map)) {
      return owned.get(map);
    }
    EventExecutor executor = ThreadExecutorMap.currentExecutor();
    if (executor == null || executor == GlobalEventExecutor.INSTANCE) {
      return null; // the thread of that one ends when idle and is replaced
    }
    return acquire(map, executor);
  }

  /**
   * Makes the calling thread the owner of a heap, unless its end could remain unnoticed. Meanwhile
   * it owns none: its executor is called, and may allocate.
   */
  private @Nullable Heap<MiMallocByteBuf> acquire(
      InternalThreadLocalMap map, EventExecutor executor) {
    Heap<MiMallocByteBuf> heap = null;
    try {
      owned.set(map, null); // may lack Java heap: no heap must be lost then
      boolean tellsItsEnd = tellsItsEnd(executor); // may throw: no heap must be lost then either
      OwnerExecutor owner = new OwnerExecutor(executor, leaveIfClosed, abandonEnded);
      heap = blockAllocator.acquire(owner); // first: it may throw repeatedly
      if (tellsItsEnd || owner.expectTermination()) {
        owned.set(heap); // the executor may have removed all, and with them the map
        return heap;
      }
      blockAllocator.abandon(heap);
      return null;
    } catch (Throwable e) {
      owned.remove(map); // the next allocation tries again
      if (heap != null) {
        blockAllocator.abandon(heap);
      }
      throw e;
    }
  }

  /**
   * Returns whether the calling thread is certain to remove its thread-locals. If its executor is
   * shutting down, the thread may have removed them already.
   */
  private static boolean tellsItsEnd(EventExecutor executor) {
    return NettyThreads.removesFastThreadLocals() && !isShuttingDown(executor);
  }

  private static boolean isShuttingDown(EventExecutor executor) {
    try {
      return executor.isShuttingDown();
    } catch (Throwable e) {
      return false; // not supported, for example by that of Netty's own benchmarks
    }
  }

  /**
   * Abandons the owner's heap if the allocator is closed. Called by the owner after upkeep, or when
   * an allocation was refused, because {@link #close} cannot take the heap from it.
   */
  private void leaveIfClosed() {
    Heap<MiMallocByteBuf> own = blockAllocator.isClosed() ? ownedByCaller() : null;
    if (own != null && !own.callsOut()) { // else its next refusal, or its task, has it leave
      UpkeepExecutor executor = own.upkeepExecutor();
      blockAllocator.abandon(own); // first: it may throw, and is repeated then
      owned.remove();
      forgetTermination(executor); // last: it may run code of the program, which may allocate
    }
  }

  private static void forgetTermination(UpkeepExecutor executor) {
    if (executor instanceof OwnerExecutor owner) {
      owner.forgetTermination();
    }
  }

  @Override
  public ByteBufAllocator allocator() {
    return allocator;
  }

  @Override
  public boolean hold(FreedMemory memory) {
    return trimsNativeHeap && nativeHeapUpkeep.hold(memory);
  }

  boolean isDirect() {
    return direct;
  }

  /** Returns the bytes obtained from the system, in use or not. */
  public long usedBytes() {
    return blockAllocator.usedBytes();
  }

  /** Returns the bytes of the blocks in use. */
  public long liveBytes() {
    return blockAllocator.liveBytes();
  }

  /** Returns the same for a report of a failure: perhaps as of a failure before. */
  long liveBytesAtFailure() {
    return blockAllocator.liveBytesAtFailure();
  }

  public MemoryStatistics statistics() {
    return StatisticsReader.read(blockAllocator);
  }

  /** For tests, which check the heaps' invariants. */
  public BlockAllocator<MiMallocByteBuf> blockAllocator() {
    return blockAllocator;
  }

  /** Creates heaps of direct memory or of memory on the Java heap: {@link ThreadHeaps#of}. */
  @FunctionalInterface
  public interface Factory {
    ThreadHeaps create(
        ByteBufAllocator allocator,
        Settings settings,
        OutOfMemoryListener listener,
        boolean direct);
  }

  /**
   * Obtains the memory of segments: {@link DirectMemory#allocate} or {@link ArrayMemory#allocate}.
   */
  @FunctionalInterface
  public interface MemoryFactory {
    BufferMemory allocate(BufferSource source, int bytes);
  }
}
