package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;

/** Erases the bytes of each block on its release, so that nobody else can read them. */
final class ErasingGuard extends Guard {

  static final ErasingGuard INSTANCE = new ErasingGuard();

  private static final Filler ZEROS = new Filler((byte) 0);

  private ErasingGuard() {}

  @Override
  public void putBack(MiMallocByteBuf block) {
    erase(block);
  }

  @Override
  public void release(MiMallocByteBuf buffer) {
    erase(buffer);
  }

  /** Erases the whole block: the buffer may have been larger before. */
  private static void erase(MiMallocByteBuf block) {
    ZEROS.fill(block, 0, block.blockBytes());
  }
}
