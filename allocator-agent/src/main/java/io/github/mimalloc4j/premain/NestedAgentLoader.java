package io.github.mimalloc4j.premain;

import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;

/**
 * Loads the classes of the agent proper, which link no classes of Netty and none of the rest of the
 * library. What the agent opens to itself is open to this loader's classes only.
 */
final class NestedAgentLoader extends ClassLoader {

  private static final String AGENT_CLASSES =
      "io/github/mimalloc4j/(agent|activation)/[^/]+\\.class";

  static {
    registerAsParallelCapable();
  }

  private final Map<String, byte[]> classFiles = new ConcurrentHashMap<>();

  /** The domain of the agent's jar, where the agent looks for the library. */
  private final ProtectionDomain domain;

  NestedAgentLoader(InputStream library, ProtectionDomain domain) throws IOException {
    super("mimalloc4j-agent", ClassLoader.getPlatformClassLoader());
    this.domain = domain;
    JarInputStream in = new JarInputStream(library);
    for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
      if (entry.getName().matches(AGENT_CLASSES)) {
        classFiles.put(entry.getName(), in.readAllBytes());
      }
    }
  }

  /**
   * Looks for the class here first. The parent loader, which is the JDK's, would ask the
   * application's named modules for classes in their packages, and the library may be one of these
   * modules.
   */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> own = findLoadedClass(name);
      if (own != null) {
        return own;
      }
      return classFiles.containsKey(entry(name)) ? findClass(name) : super.loadClass(name, resolve);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] classFile = classFiles.remove(entry(name));
    if (classFile == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, classFile, 0, classFile.length, domain);
  }

  private static String entry(String className) {
    return className.replace('.', '/') + ".class";
  }
}
