package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;

/** Activates the allocator in its first line, and once more. */
public final class InstallFirst {

  private InstallFirst() {}

  public static void main(String[] args) throws Exception {
    Report.value("installed", MiMalloc.install());
    Report.value("installed again", MiMalloc.install());
    Report.value("type", System.getProperty("io.netty.allocator.type"));
    Echo.run();
  }
}
