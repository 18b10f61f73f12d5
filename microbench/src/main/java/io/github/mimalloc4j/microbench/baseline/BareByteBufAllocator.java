package io.github.mimalloc4j.microbench.baseline;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.nio.ByteBuffer;

/**
 * Hands out ready-made buffers from stacks of the current thread.
 *
 * <p>What it does not do, so that nobody takes its figures for those of an allocator:
 *
 * <ul>
 *   <li>Sizes are rounded up to a power of two; up to half of the memory is waste.
 *   <li>Memory is kept for as long as the allocator lives, the highest use of each size together.
 *   <li>Each thread has stacks of its own. Those of an event-loop thread that ended go to the next
 *       one; those of another thread are left to the garbage collector with the thread. Virtual
 *       threads, of which each is new, get nothing out of it.
 *   <li>A buffer that another thread releases comes back to its own thread by a queue in common;
 *       this is correct, but no floor of what hand-over could cost.
 *   <li>Bytes are reached through NIO buffers, which is no floor of what access could cost.
 *   <li>Above {@value BareStacks#LARGEST} bytes, and after a growth beyond the rounded size,
 *       nothing is reused.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class BareByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider, ByteBufAllocatorMetric {
  private final BareMemory direct = new BareMemory(this, ByteBuffer::allocateDirect);
  private final BareMemory array = new BareMemory(this, ByteBuffer::allocate);

  public BareByteBufAllocator() {
    super(true);
  }

  @Override
  public ByteBufAllocatorMetric metric() {
    return this;
  }

  @Override
  public long usedHeapMemory() {
    return array.usedBytes();
  }

  @Override
  public long usedDirectMemory() {
    return direct.usedBytes();
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return toLeakAwareBuffer(direct.take(initialCapacity).begin(initialCapacity, maxCapacity));
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return toLeakAwareBuffer(array.take(initialCapacity).begin(initialCapacity, maxCapacity));
  }
}
