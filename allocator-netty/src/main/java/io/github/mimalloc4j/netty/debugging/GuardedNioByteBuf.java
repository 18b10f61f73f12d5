package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.buffers.DirectMemory;
import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.buffers.NioByteBuf;

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
  protected boolean isGuarded() {
    return true;
  }

  @Override
  public Guard guard() {
    return guard;
  }
}
