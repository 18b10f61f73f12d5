package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.heap.Page;

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
  boolean isGuarded() {
    return true;
  }

  @Override
  Guard guard() {
    return guard;
  }
}
