package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.buffers.AddressByteBuf;
import io.github.mimalloc4j.netty.buffers.DirectMemory;
import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;

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
  protected boolean isGuarded() {
    return true;
  }

  @Override
  public Guard guard() {
    return guard;
  }
}
