package io.github.mimalloc4j.netty.redirection;

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
   * Returns a buffer's allocator or, in place of this library's and of Netty's default, one that
   * Vert.x knows as pooled: it copies and releases only buffers of such allocators. The default is
   * what changed classes of Vert.x 4.5 allocate with, even if this library could not be used then.
   *
   * @param buffer any buffer
   * @return the buffer's own allocator, or Netty's pooled one
   */
  public static ByteBufAllocator of(ByteBuf buffer) {
    ByteBufAllocator allocator = buffer.alloc();
    return allocator instanceof MiMallocByteBufAllocator || allocator == ByteBufAllocator.DEFAULT
        ? PooledByteBufAllocator.DEFAULT
        : allocator;
  }
}
