package io.github.mimalloc4j.microbench;

import io.netty.buffer.ByteBuf;

/** What several benchmarks do with an array of live buffers. */
final class LiveBuffers {
  private LiveBuffers() {}

  /** Fills the array, with sizes in their order, again from the first when there are no more. */
  static void fill(ByteBuf[] buffers, BufferCalls calls, int[] sizes) {
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = calls.allocate(sizes[i % sizes.length]);
    }
  }

  /**
   * Releases all buffers.
   *
   * @throws IllegalStateException if one of them is in use elsewhere
   */
  static void releaseAll(ByteBuf[] buffers) {
    for (ByteBuf buffer : buffers) {
      BufferCalls.releaseLast(buffer);
    }
  }

  /** The bytes of all buffers. */
  static long bytes(ByteBuf[] buffers) {
    long sum = 0;
    for (ByteBuf buffer : buffers) {
      sum += buffer.capacity();
    }
    return sum;
  }
}
