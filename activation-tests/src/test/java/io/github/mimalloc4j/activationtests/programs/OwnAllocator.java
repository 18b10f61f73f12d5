package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.UnpooledByteBufAllocator;

/** The echo with a server that chooses the allocator of its connections itself. */
public final class OwnAllocator {

  private OwnAllocator() {}

  public static void main(String[] args) throws Exception {
    Echo.run(UnpooledByteBufAllocator.DEFAULT);
  }
}
