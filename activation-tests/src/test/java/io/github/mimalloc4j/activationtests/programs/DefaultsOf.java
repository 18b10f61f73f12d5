package io.github.mimalloc4j.activationtests.programs;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Reports the default allocators of several copies of Netty, each in a class loader of its own, and
 * whether Vert.x, if it is there, releases a buffer of that allocator. The arguments: a name and a
 * class path each. Where the name begins with {@link #INSTALL}, the property is set and the library
 * is activated first; where it begins with {@link #INSTALL_UNSET}, only the latter.
 */
public final class DefaultsOf {

  public static final String INSTALL = "install ";
  public static final String INSTALL_UNSET = "install unset ";

  private DefaultsOf() {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 2) {
      report(args[i], args[i + 1].split(File.pathSeparator));
    }
  }

  @SuppressWarnings("resource") // Stays open as long as the program runs, as an application's does.
  private static void report(String name, String[] jars) throws Exception {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = Path.of(jars[i]).toUri().toURL();
    }
    ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    if (name.startsWith(INSTALL)) {
      if (!name.startsWith(INSTALL_UNSET)) {
        System.setProperty("io.netty.allocator.type", "mimalloc");
      }
      Class<?> activation = Class.forName("io.github.mimalloc4j.netty.MiMalloc", true, loader);
      Report.value(name + ", installed", activation.getMethod("install").invoke(null));
    }
    Object allocator =
        Class.forName("io.netty.buffer.ByteBufAllocator", true, loader)
            .getField("DEFAULT")
            .get(null);
    Report.value(name, allocator.getClass().getSimpleName());
    Report.value(name + ", type", System.getProperty("io.netty.allocator.type"));
    if (loader.getResource("io/vertx/core/net/impl/VertxHandler.class") != null) {
      Report.value(name + ", released", isReleasedByVertx(allocator, loader));
    }
  }

  private static boolean isReleasedByVertx(Object allocator, ClassLoader loader) throws Exception {
    Class<?> type = Class.forName("io.netty.buffer.ByteBuf", true, loader);
    Object buffer =
        Class.forName("io.netty.buffer.ByteBufAllocator", true, loader)
            .getMethod("directBuffer", int.class)
            .invoke(allocator, 1);
    Class.forName("io.vertx.core.net.impl.VertxHandler", true, loader)
        .getMethod("safeBuffer", type)
        .invoke(null, buffer);
    return type.getMethod("refCnt").invoke(buffer).equals(0);
  }
}
