package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;

/** Erases the bytes of each block with its release, so that nobody else sees them. */
final class ErasingGuard extends Guard {

  static final ErasingGuard INSTANCE = new ErasingGuard();

  private static final Filler ZEROS = new Filler((byte) 0);

  private ErasingGuard() {}

  @Override
  protected void release(MiMallocByteBuf buffer) {
    ZEROS.fill(buffer, 0, buffer.blockSize()); // it may have been larger before
  }
}
