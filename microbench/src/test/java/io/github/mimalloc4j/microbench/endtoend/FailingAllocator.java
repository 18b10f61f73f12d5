package io.github.mimalloc4j.microbench.endtoend;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** One that cannot allocate what is to be read from a socket. */
public final class FailingAllocator extends PooledByteBufAllocator {
  /** Which the server calls, by the class's name. */
  public FailingAllocator() {
    super(true);
  }

  @Override
  public ByteBuf ioBuffer(int initialCapacity) {
    throw new IllegalStateException("planted");
  }

  @Override
  public ByteBuf directBuffer(int initialCapacity) {
    throw new IllegalStateException("planted");
  }
}
