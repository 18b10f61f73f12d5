package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.core.heap.BlockFactory;
import io.github.mimalloc4j.netty.buffers.BufferMemory;
import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.options.Options;
import io.github.mimalloc4j.netty.options.Settings;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Thread heaps whose buffers are guarded. */
public final class GuardedHeaps extends ThreadHeaps {

  private final int spareBytes;

  private GuardedHeaps(
      ByteBufAllocator allocator,
      Settings settings,
      OutOfMemoryListener listener,
      boolean direct,
      Supplier<Guard> guards) {
    super(
        allocator,
        settings,
        listener,
        direct,
        settings.get(Options.DEBUG) ? poisoned(memories(direct)) : memories(direct),
        direct ? directFactory(guards) : GuardedBuffers.onArrays(guards));
    spareBytes = guards.get().spareBytes();
  }

  /**
   * Returns thread heaps with the guards that the settings require.
   *
   * @param live samples the buffers; null if they are not sampled
   */
  public static ThreadHeaps of(
      ByteBufAllocator allocator,
      Settings settings,
      OutOfMemoryListener outOfMemoryListener,
      MisuseListener misuseListener,
      @Nullable LiveBuffers live,
      boolean direct) {
    Supplier<Guard> guards = guards(settings, misuseListener);
    return new GuardedHeaps(
        allocator,
        settings,
        outOfMemoryListener,
        direct,
        live == null ? guards : () -> new SamplingGuard(guards.get(), live));
  }

  /** Poisons all memory at once, so that writes are found whatever blocks it becomes later. */
  private static MemoryFactory poisoned(MemoryFactory memories) {
    return (heaps, bytes) -> {
      BufferMemory memory = memories.allocate(heaps, bytes);
      try {
        DebugGuard.POISON.fill(memory.buffer(), 0, memory.buffer().capacity());
        return memory;
      } catch (Throwable e) { // the end of the stack, or no Java heap
        memory.free();
        throw e;
      }
    };
  }

  private static Supplier<Guard> guards(Settings settings, MisuseListener listener) {
    if (settings.get(Options.DEBUG)) { // poison erases as well as zeros do
      MisuseReports reports = new MisuseReports(listener);
      return () -> new DebugGuard(reports);
    }
    return settings.get(Options.ZERO_ON_RELEASE)
        ? () -> ErasingGuard.INSTANCE
        : () -> Guard.CHECKED_RELEASE;
  }

  private static BlockFactory<MiMallocByteBuf> directFactory(Supplier<Guard> guards) {
    return reachesAddresses()
        ? GuardedBuffers.byAddress(guards)
        : GuardedBuffers.byNioBuffer(guards);
  }

  @Override
  protected int requested(int bytes) {
    return bytes - spareBytes;
  }

  @Override
  public MiMallocByteBuf allocate(int bytes) {
    int enlarged = (int) Math.min(Integer.MAX_VALUE, (long) bytes + spareBytes);
    while (true) {
      MiMallocByteBuf block = super.allocate(enlarged);
      try {
        if (block.guard().take(block, bytes)) {
          return block;
        }
      } catch (Throwable e) { // thrown by a listener, or no Java heap for the trace
        block.putBack();
        throw e;
      }
    }
  }
}
