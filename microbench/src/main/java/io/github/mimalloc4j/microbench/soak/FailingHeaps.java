package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.core.heap.BlockFactory;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.options.Settings;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import io.netty.buffer.ByteBufAllocator;

/** Heaps whose sources of memory and factories of blocks throw what {@link Failures} throw. */
final class FailingHeaps extends ThreadHeaps {

  private FailingHeaps(
      ByteBufAllocator allocator,
      Settings settings,
      OutOfMemoryListener listener,
      boolean direct,
      Failures failures) {
    super(
        allocator,
        settings,
        listener,
        direct,
        failing(memories(direct), failures),
        failing(blocks(direct), failures));
  }

  static Factory factory(Failures failures) {
    return (allocator, settings, listener, direct) ->
        new FailingHeaps(allocator, settings, listener, direct, failures);
  }

  private static MemoryFactory failing(MemoryFactory memories, Failures failures) {
    return (source, bytes) -> {
      failures.beforeMemory();
      return memories.allocate(source, bytes);
    };
  }

  private static BlockFactory<MiMallocByteBuf> failing(
      BlockFactory<MiMallocByteBuf> blocks, Failures failures) {
    return (page, slot, segment, offset) -> {
      failures.beforeBlock();
      return blocks.newBlock(page, slot, segment, offset);
    };
  }
}
