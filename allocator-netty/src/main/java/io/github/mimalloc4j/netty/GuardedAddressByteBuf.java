package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.heap.Page;

/** An {@link AddressByteBuf} with a {@link Guard}. */
final class GuardedAddressByteBuf extends AddressByteBuf {

  private final Guard guard;

  GuardedAddressByteBuf(
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
