package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.heap.Page;

/** The methods common to direct buffers, however they access their bytes. */
abstract class DirectByteBuf extends MiMallocByteBuf {

  DirectByteBuf(Page<MiMallocByteBuf> page, int slot) {
    super(page, slot);
  }

  @Override
  public final DirectMemory memory() {
    return (DirectMemory) super.memory();
  }

  @Override
  public final boolean isDirect() {
    return true;
  }

  @Override
  public final boolean hasArray() {
    return false;
  }

  @Override
  public final byte[] array() {
    throw new UnsupportedOperationException("a direct buffer has no array");
  }

  @Override
  public final int arrayOffset() {
    throw new UnsupportedOperationException("a direct buffer has no array");
  }
}
