package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the buffers that it allocates. */
final class CountingAllocator extends AbstractByteBufAllocator {
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final AtomicInteger count = new AtomicInteger();

  CountingAllocator() {
    super(true);
  }

  int count() {
    return count.get();
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    count.incrementAndGet();
    return allocator.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    count.incrementAndGet();
    return allocator.directBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
