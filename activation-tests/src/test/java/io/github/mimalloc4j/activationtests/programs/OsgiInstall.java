package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** A bundle that activates the allocator in its first line. */
public final class OsgiInstall implements BundleActivator {

  @Override
  public void start(BundleContext context) throws Exception {
    Report.value("installed", MiMalloc.install());
    Echo.run();
  }

  @Override
  public void stop(BundleContext context) {}
}
