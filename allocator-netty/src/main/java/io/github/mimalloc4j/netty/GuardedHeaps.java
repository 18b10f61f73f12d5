package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.heap.BlockFactory;
import java.util.function.Supplier;

/** Heaps whose buffers are guarded. */
final class GuardedHeaps extends ThreadHeaps {

  private final int spareBytes;

  private GuardedHeaps(
      MiMallocByteBufAllocator allocator,
      Settings settings,
      boolean direct,
      Supplier<Guard> guards) {
    super(
        allocator,
        settings,
        direct,
        direct ? DirectMemory::allocate : ArrayMemory::allocate,
        direct ? directFactory(guards) : arrayFactory(guards));
    spareBytes = guards.get().spareBytes();
  }

  /** Heaps with the guards that the settings ask for. */
  static ThreadHeaps of(MiMallocByteBufAllocator allocator, Settings settings, boolean direct) {
    return new GuardedHeaps(allocator, settings, direct, guards(settings));
  }

  private static Supplier<Guard> guards(Settings settings) {
    if (settings.debug()) { // poison erases as well as zeros do
      MisuseReports reports = new MisuseReports(settings.misuseListener());
      return () -> new DebugGuard(reports);
    }
    return settings.zeroOnRelease() ? () -> ErasingGuard.INSTANCE : () -> Guard.CHECKED_RELEASE;
  }

  private static BlockFactory<MiMallocByteBuf> directFactory(Supplier<Guard> guards) {
    return reachesAddresses()
        ? (page, slot, memory, offset) ->
            new GuardedAddressByteBuf(page, slot, (DirectMemory) memory, offset, guards.get())
        : (page, slot, memory, offset) ->
            new GuardedNioByteBuf(page, slot, (DirectMemory) memory, offset, guards.get());
  }

  private static BlockFactory<MiMallocByteBuf> arrayFactory(Supplier<Guard> guards) {
    return (page, slot, memory, offset) ->
        new GuardedArrayByteBuf(page, slot, (ArrayMemory) memory, offset, guards.get());
  }

  @Override
  MiMallocByteBuf allocate(int bytes) {
    int enlarged = (int) Math.min(Integer.MAX_VALUE, (long) bytes + spareBytes);
    while (true) {
      MiMallocByteBuf block = super.allocate(enlarged);
      if (block.guard().take(block, bytes)) {
        return block;
      }
    }
  }
}
