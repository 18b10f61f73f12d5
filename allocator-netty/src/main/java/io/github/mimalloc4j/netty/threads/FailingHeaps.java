package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.heap.BlockFactory;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.options.Settings;
import io.netty.buffer.ByteBufAllocator;

/** Makes heaps whose memory and blocks fail as a test specifies. */
public final class FailingHeaps {

  private FailingHeaps() {}

  public static ThreadHeaps of(
      ByteBufAllocator allocator,
      Settings settings,
      OutOfMemoryListener listener,
      boolean direct,
      Faults faults) {
    ThreadHeaps.Source memory = ThreadHeaps.source(direct);
    BlockFactory<MiMallocByteBuf> blocks = ThreadHeaps.blocks(direct);
    return new ThreadHeaps(
        allocator,
        settings,
        listener,
        direct,
        (source, bytes) -> {
          faults.beforeMemory();
          return memory.allocate(source, bytes);
        },
        (page, slot, segment, offset) -> {
          faults.beforeBlock();
          return blocks.newBlock(page, slot, segment, offset);
        });
  }
}
