package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;

/** Initialises the allocator, which must leave Netty's choice open, and activates it then. */
public final class InstallAfterAllocator {

  private InstallAfterAllocator() {}

  public static void main(String[] args) throws Exception {
    Report.value("metric", MiMallocByteBufAllocator.DEFAULT.metric());
    Report.value("installed", MiMalloc.install());
    Echo.run();
  }
}
