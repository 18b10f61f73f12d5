package io.github.mimalloc4j.microbench.endtoend;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * Loses a buffer for each one that it hands out, as an application would that forgets to release.
 */
public final class LeakingAllocator extends AbstractByteBufAllocator {
  private final UnpooledByteBufAllocator unpooled = new UnpooledByteBufAllocator(true);

  /** Which the server calls, by the class's name. */
  public LeakingAllocator() {
    super(true);
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return unpooled.heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    unpooled.directBuffer(16); // and nobody has it
    return unpooled.directBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
