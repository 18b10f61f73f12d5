package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;

/** Uses the library by name, before anything of Netty is loaded. */
public final class ExplicitUse {

  private ExplicitUse() {}

  public static void main(String[] args) throws Exception {
    MiMallocByteBufAllocator.DEFAULT.directBuffer(100).release();
    Report.value(
        "explicitly used", MiMallocByteBufAllocator.DEFAULT.metric().usedDirectMemory() > 0);
    Echo.run();
  }
}
