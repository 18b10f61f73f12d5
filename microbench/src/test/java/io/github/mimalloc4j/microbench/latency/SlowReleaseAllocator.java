package io.github.mimalloc4j.microbench.latency;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;

/** Whose buffers take a known time to release, and little to allocate. */
public final class SlowReleaseAllocator extends AbstractByteBufAllocator {
  /** Of a million releases, those of the warm-up, this makes seconds. */
  static final long NANOS = 4_000;

  /** Which the run calls, by the class's name. */
  public SlowReleaseAllocator() {}

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity) {
      @Override
      protected void deallocate() {
        long begin = System.nanoTime();
        super.deallocate();
        while (System.nanoTime() - begin < NANOS) {
          Thread.onSpinWait();
        }
      }
    };
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return newHeapBuffer(initialCapacity, maxCapacity); // what it is made of does not matter
  }

  @Override
  public boolean isDirectBufferPooled() {
    return false;
  }
}
