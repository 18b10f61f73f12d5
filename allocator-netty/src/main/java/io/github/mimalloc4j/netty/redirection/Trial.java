package io.github.mimalloc4j.netty.redirection;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;

/** Tries out whether this library works with the Netty at hand. Not for applications. */
public final class Trial {

  private static final int SEGMENT_BYTES = 1 << 18;

  private Trial() {}

  /**
   * Uses buffers of another allocator, which leaves nothing behind. Fails if a newer Netty lacks a
   * method that this library calls: otherwise only the first buffers of the application would.
   */
  public static void run() {
    try (MiMallocByteBufAllocator other =
        MiMallocByteBufAllocator.builder()
            .minSegmentBytes(SEGMENT_BYTES) // whatever the options say
            .maxSegmentBytes(SEGMENT_BYTES)
            .maxDirectMemory(0)
            .maxHeapMemory(0)
            .trimDelayMillis(0)
            .trimNativeHeap(false)
            .sampleLive(0)
            .jmx(false)
            .build()) {
      ByteBuf heap = other.heapBuffer(Long.BYTES);
      ByteBuf direct = other.directBuffer(Long.BYTES);
      heap.writeLong(1).setZero(0, Long.BYTES);
      direct.writeBytes(heap).setZero(0, Long.BYTES);
      heap.setBytes(0, direct, 0, Long.BYTES);
      direct.capacity(1 << 10).writeBytes(new byte[Long.BYTES]).writeByte(1).writeLong(1).readInt();
      direct.internalNioBuffer(0, Long.BYTES);
      direct.release();
      heap.release();
    } catch (OutOfMemoryError e) { // says nothing about Netty
    }
  }
}
