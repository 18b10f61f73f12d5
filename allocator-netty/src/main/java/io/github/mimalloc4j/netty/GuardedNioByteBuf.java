package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.heap.Page;

/** A {@link NioByteBuf} with a {@link Guard}. */
final class GuardedNioByteBuf extends NioByteBuf {

  private final Guard guard;

  GuardedNioByteBuf(
      Page<MiMallocByteBuf> page, int slot, DirectMemory memory, int offset, Guard guard) {
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
