package io.github.mimalloc4j.microbench.endtoend;

import io.netty.buffer.PooledByteBufAllocator;

/** One that the servers of {@code plaintext} cannot have. */
public final class PickyAllocator extends PooledByteBufAllocator {
  /** Which the server calls, by the class's name. */
  public PickyAllocator() {
    super(true);
    if (System.getProperty("sun.java.command").contains("plaintext")) {
      throw new IllegalStateException("planted");
    }
  }
}
