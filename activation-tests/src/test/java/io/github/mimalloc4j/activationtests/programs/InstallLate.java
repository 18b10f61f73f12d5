package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;
import io.netty.buffer.ByteBufAllocator;

/**
 * Uses Netty before it tries to activate the allocator. An argument is the type that the property
 * names meanwhile.
 */
public final class InstallLate {

  private InstallLate() {}

  public static void main(String[] args) throws Exception {
    ByteBufAllocator.DEFAULT.buffer().release();
    if (args.length > 0) {
      System.setProperty("io.netty.allocator.type", args[0]);
    }
    Report.value("installed", MiMalloc.install());
    Report.value("installed again", MiMalloc.install());
    Report.value("type", System.getProperty("io.netty.allocator.type"));
    Echo.run();
  }
}
