package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.netty.events.AllocatorEvents;
import io.netty.buffer.ByteBufAllocator;

/** Where a buffer came from: what it needs of the layers above. */
public interface BufferSource {

  /**
   * Takes a free block for the calling thread; it is no buffer before {@link
   * MiMallocByteBuf#begin}.
   *
   * @throws OutOfMemoryError if there is no memory even after everything within reach was trimmed
   */
  MiMallocByteBuf allocate(int bytes);

  /** The allocator that the buffer tells its users. */
  ByteBufAllocator allocator();

  /** Records what happens to the buffer. */
  AllocatorEvents events();

  /**
   * Takes memory that is to be freed, to free it a little later if that serves the process.
   *
   * @return whether it was taken; otherwise the caller has to free it
   */
  boolean hold(FreedMemory memory);
}
