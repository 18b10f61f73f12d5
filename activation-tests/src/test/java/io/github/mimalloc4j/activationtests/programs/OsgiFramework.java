package io.github.mimalloc4j.activationtests.programs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** Starts bundles in an OSGi framework. The arguments: its folder, and the bundles' jars. */
public final class OsgiFramework {

  private OsgiFramework() {}

  public static void main(String[] args) throws Exception {
    Framework framework =
        ServiceLoader.load(FrameworkFactory.class)
            .findFirst()
            .orElseThrow()
            .newFramework(Map.of("org.osgi.framework.storage", args[0]));
    framework.start();
    try {
      List<Bundle> bundles = new ArrayList<>();
      for (String jar : List.of(args).subList(1, args.length)) {
        bundles.add(framework.getBundleContext().installBundle(Path.of(jar).toUri().toString()));
      }
      for (Bundle bundle : bundles) {
        start(bundle);
      }
    } finally {
      framework.stop();
      framework.waitForStop(0);
    }
  }

  private static void start(Bundle bundle) {
    try {
      bundle.start();
      Report.value(bundle.getSymbolicName(), "started");
    } catch (BundleException e) {
      Report.value(bundle.getSymbolicName(), e.getMessage());
    }
  }
}
