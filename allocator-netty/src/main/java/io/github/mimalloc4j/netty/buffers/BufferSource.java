package io.github.mimalloc4j.netty.buffers;

import io.netty.buffer.ByteBufAllocator;

/** The source of a buffer: what a buffer needs from the layers above. */
public interface BufferSource {

  /**
   * Takes a free block for the calling thread. {@link MiMallocByteBuf#begin} makes it a buffer.
   *
   * @throws OutOfMemoryError if there is no memory even after a trim of all memory within reach
   */
  MiMallocByteBuf allocate(int bytes);

  /** Returns the allocator that the buffer reports to its users. */
  ByteBufAllocator allocator();

  /**
   * Takes over memory that is to be freed, and may free it a little later if that benefits the
   * process.
   *
   * @return whether it was taken over; otherwise the caller has to free it
   */
  boolean hold(FreedMemory memory);
}
