package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.ByteBufAllocator;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** Loads Vert.x, of which it is given the jar, in a class loader of its own, after Netty. */
public final class VertxInChildLoader {

  private VertxInChildLoader() {}

  public static void main(String[] args) throws Exception {
    Report.allocator("default", ByteBufAllocator.DEFAULT);
    URL[] vertx = {Path.of(args[0]).toUri().toURL()};
    try (URLClassLoader loader =
        new URLClassLoader(vertx, VertxInChildLoader.class.getClassLoader())) {
      Report.value("loaded", loader.loadClass("io.vertx.core.net.impl.VertxHandler").getName());
    }
  }
}
