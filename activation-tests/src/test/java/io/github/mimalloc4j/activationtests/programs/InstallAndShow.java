package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;
import io.netty.buffer.ByteBufAllocator;

/** Activates the allocator in its first line, unless there is an argument, and uses it. */
public final class InstallAndShow {

  private InstallAndShow() {}

  public static void main(String[] args) {
    if (args.length == 0) {
      Report.value("installed", MiMalloc.install());
    }
    ByteBufAllocator.DEFAULT.buffer(100).release();
    Report.allocator("default", ByteBufAllocator.DEFAULT);
  }
}
