package io.github.mimalloc4j.netty.selection;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * What Vert.x's {@code VertxHandler} calls instead of {@link ByteBuf#alloc}. Not for applications.
 */
public final class VertxAllocator {

  private VertxAllocator() {}

  /**
   * Returns a buffer's allocator or, if that is this library's, one that Vert.x knows as pooled: it
   * copies and releases only buffers of such allocators.
   *
   * @param buffer any buffer
   * @return the buffer's own allocator, or Netty's pooled one in this library's place
   */
  public static ByteBufAllocator of(ByteBuf buffer) {
    ByteBufAllocator allocator = buffer.alloc();
    return allocator instanceof MiMallocByteBufAllocator
        ? PooledByteBufAllocator.DEFAULT
        : allocator;
  }
}
