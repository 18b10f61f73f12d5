package io.github.mimalloc4j.microbench.footprint;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.atomic.LongAdder;

/** Makes and releases the run's buffers and counts the bytes that are live. Any thread. */
final class LiveMemory {
  /** The smallest unit in which systems make memory resident. */
  private static final int OS_PAGE = 4096;

  private final ByteBufAllocator allocator;
  private final LongAdder bytes = new LongAdder();

  LiveMemory(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** A direct buffer that has been written to, as programs do: its memory is resident. */
  ByteBuf allocate(int size) {
    ByteBuf buffer = allocator.directBuffer(size);
    int capacity = buffer.capacity();
    bytes.add(capacity);
    for (int i = 0; i < capacity; i += OS_PAGE) {
      buffer.setByte(i, 1);
    }
    return buffer;
  }

  /** Releases a buffer that has no other holder. */
  void release(ByteBuf buffer) {
    bytes.add(-buffer.capacity());
    if (!buffer.release()) {
      throw new IllegalStateException("the buffer has another holder: " + buffer);
    }
  }

  /** The capacities of all live buffers; exact while no thread is at work. */
  long bytes() {
    return bytes.sum();
  }
}
