package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.buffers.ArrayByteBuf;
import io.github.mimalloc4j.netty.buffers.ArrayMemory;
import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;

/** An {@link ArrayByteBuf} with a {@link Guard}. */
final class GuardedArrayByteBuf extends ArrayByteBuf {

  private final Guard guard;

  GuardedArrayByteBuf(
      Page<MiMallocByteBuf> page, int slot, ArrayMemory memory, int offset, Guard guard) {
    super(page, slot, memory, offset);
    this.guard = guard;
    guard.made(this);
  }

  @Override
  protected boolean isGuarded() {
    return true;
  }

  @Override
  public Guard guard() {
    return guard;
  }
}
