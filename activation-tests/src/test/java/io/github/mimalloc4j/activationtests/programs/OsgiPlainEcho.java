package io.github.mimalloc4j.activationtests.programs;

import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** A bundle that does not know the library. */
public final class OsgiPlainEcho implements BundleActivator {

  @Override
  public void start(BundleContext context) throws Exception {
    Echo.run();
  }

  @Override
  public void stop(BundleContext context) {}
}
