package io.github.mimalloc4j.activationtests.programs;

import io.netty.buffer.ByteBufAllocator;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** A bundle that does not know the library. */
public final class OsgiPlainEcho implements BundleActivator {

  @Override
  public void start(BundleContext context) throws Exception {
    Echo.run();
    Report.value("trimmed", statisticsAfterTrim());
  }

  /** Returns the line about the native heap. The library's classes are not imported. */
  private static String statisticsAfterTrim() throws Exception {
    Object allocator = ByteBufAllocator.DEFAULT;
    allocator.getClass().getMethod("trim").invoke(allocator);
    String statistics = (String) allocator.getClass().getMethod("dumpStats").invoke(allocator);
    return statistics
        .lines()
        .filter(line -> line.startsWith("native heap trimming: "))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void stop(BundleContext context) {}
}
