package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;
import io.netty.buffer.ByteBufAllocator;

/** Uses Netty before it tries to activate the allocator. */
public final class InstallLate {

  private InstallLate() {}

  public static void main(String[] args) throws Exception {
    ByteBufAllocator.DEFAULT.buffer().release();
    Report.value("installed", MiMalloc.install());
    Report.value("installed again", MiMalloc.install());
    Report.value("type", System.getProperty("io.netty.allocator.type"));
    Echo.run();
  }
}
