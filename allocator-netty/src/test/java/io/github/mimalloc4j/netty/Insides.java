package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.threads.ThreadHeaps;

/** What an allocator shows to nobody but its package, for the tests in other ones. */
public final class Insides {

  private Insides() {}

  public static ThreadHeaps directHeaps(MiMallocByteBufAllocator allocator) {
    return allocator.directHeaps();
  }

  public static ThreadHeaps arrayHeaps(MiMallocByteBufAllocator allocator) {
    return allocator.arrayHeaps();
  }
}
