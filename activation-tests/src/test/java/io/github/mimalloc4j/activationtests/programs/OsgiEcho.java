package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** A bundle that chooses the allocator for a server's connections. */
public final class OsgiEcho implements BundleActivator {

  @Override
  public void start(BundleContext context) throws Exception {
    Echo.run(MiMallocByteBufAllocator.DEFAULT);
    Report.value("used by ours", MiMallocByteBufAllocator.DEFAULT.metric().usedDirectMemory());
  }

  @Override
  public void stop(BundleContext context) {}
}
