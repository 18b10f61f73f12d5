package io.github.mimalloc4j.agent;

import io.github.mimalloc4j.activation.ClassFile;
import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Defines the library's classes in a class loader that has Netty but does not see them, or sees
 * copies that belong to another Netty. Reads the classes from the agent's jar.
 *
 * <p>Thread-safe without locks: a class that another thread defines first serves as well.
 */
final class LibraryClasses {

  /** Groups of classes that depend on the same external types. */
  enum Part {
    CORE("java/lang/Object.class", "core(/[a-z]+)?"),
    NETTY("io/netty/buffer/ByteBufUtil.class", "core(/[a-z]+)?|activation|netty(/[a-z]+)?"),
    MICROMETER("io/micrometer/core/instrument/binder/MeterBinder.class", "micrometer"),
    BOOTSTRAP("io/netty/bootstrap/ChannelInitializerExtension.class", "bootstrap"),
    SPRING("org/springframework/context/ApplicationListener.class", "spring"),
    BLOCKHOUND("reactor/blockhound/integration/BlockHoundIntegration.class", "blockhound");

    private final String anchor;
    private final String classFiles;
    private final boolean onSystemClassPath;

    Part(String anchor, String packages) {
      this.anchor = anchor;
      this.classFiles = "io/github/mimalloc4j/(" + packages + ")/[^/]+\\.class";
      this.onSystemClassPath = ClassLoader.getSystemResource(anchor) != null;
    }

    /** Returns an external class that shows where this part belongs. */
    String anchor() {
      return anchor;
    }

    boolean isOnSystemClassPath() {
      return onSystemClassPath;
    }

    private boolean contains(String entry) {
      return entry.matches(classFiles);
    }
  }

  private static final String CORE_CLASS = "io.github.mimalloc4j.core.BlockAllocator";

  /**
   * Jars that may be nested: the core in the library's jar, and the library in the thin agent's.
   */
  private static final String NESTED_JARS = "META-INF/mimalloc4j/[^/]+\\.jar";

  /** Matches names of the JDK's classes. */
  private static final Pattern PLATFORM = Pattern.compile("(java|javax|jdk)\\.");

  private static final String NETTY_CLASS = "io.netty.buffer.ByteBufAllocator";

  private final Instrumentation instrumentation;
  private final ProtectionDomain domain = LibraryClasses.class.getProtectionDomain();

  LibraryClasses(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Returns whether the agent's jar is the library's own. If so, all class loaders see it. */
  static boolean areOnSystemClassPath() {
    return LibraryClasses.class.getClassLoader() == ClassLoader.getSystemClassLoader();
  }

  /** Ensures that a module's classes, which a loader is about to define, can use the library. */
  void makeReachable(Module module, ClassLoader loader) throws Exception {
    Class<?> allocator = reachableFrom(loader);
    Module own = allocator.getModule();
    String called = allocator.getPackageName();
    if (!own.isExported(called, module)) {
      instrumentation.redefineModule(
          own, Set.of(), Map.of(called, Set.of(module)), Map.of(), Set.of(), Map.of());
    }
    if (!module.canRead(own)) {
      instrumentation.redefineModule(module, Set.of(own), Map.of(), Map.of(), Set.of(), Map.of());
    }
  }

  /** Returns a class that changed classes will call, defined if there is none yet. */
  private Class<?> reachableFrom(ClassLoader loader) throws Exception {
    Class<?> allocator = find(loader, Selection.DEFAULT_ALLOCATOR);
    if (allocator == null || !seesNettyOf(allocator.getClassLoader(), loader)) {
      define(Part.NETTY, loader);
      return Class.forName(Selection.DEFAULT_ALLOCATOR, false, loader);
    }
    if (!fits(allocator)) {
      throw new IllegalStateException("the application has another version of this library");
    }
    ClassLoader own = allocator.getClassLoader();
    if (find(own, CORE_CLASS) == null) {
      define(Part.CORE, own);
    }
    return allocator;
  }

  /** Returns whether the library has what the changed Netty and Vert.x call. */
  private static boolean fits(Class<?> allocator) {
    try {
      allocator.getMethod("property", String.class, String.class);
      return find(allocator.getClassLoader(), Selection.VERTX_ALLOCATOR) != null;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static boolean seesNettyOf(ClassLoader loader, ClassLoader nettyLoader) {
    Class<?> netty = find(nettyLoader, NETTY_CLASS);
    return netty != null && netty == find(loader, NETTY_CLASS);
  }

  /**
   * Returns a class, or null if the loader does not find it. Asks the loader rather than the JVM,
   * which would remember the result and then refuse to define another class of that name.
   */
  private static @Nullable Class<?> find(ClassLoader loader, String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** Defines the classes of a part that the loader does not have yet. */
  void define(Part part, ClassLoader loader) throws Exception {
    Map<String, byte[]> classes = read(part);
    if (classes.isEmpty()) {
      throw new IllegalStateException("the agent's jar has no classes of the library");
    }
    Definer definer = new Definer(loader, classes);
    for (String name : classes.keySet()) {
      definer.define(name);
    }
  }

  private Map<String, byte[]> read(Part part) throws Exception {
    Map<String, byte[]> classes = new HashMap<>();
    Path jar = Path.of(domain.getCodeSource().getLocation().toURI());
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
        try (InputStream in = file.getInputStream(entry)) {
          read(entry, in, part, classes);
        }
      }
    }
    return classes;
  }

  private static void read(
      JarEntry entry, InputStream content, Part part, Map<String, byte[]> classes)
      throws IOException {
    if (part.contains(entry.getName())) {
      classes.put(className(entry), content.readAllBytes());
    } else if (entry.getName().matches(NESTED_JARS)) {
      JarInputStream nested = new JarInputStream(content);
      for (JarEntry e = nested.getNextJarEntry(); e != null; e = nested.getNextJarEntry()) {
        read(e, nested, part, classes);
      }
    }
  }

  private static String className(JarEntry entry) {
    String name = entry.getName();
    return name.substring(0, name.length() - ".class".length()).replace('/', '.');
  }

  /** Defines classes in a loader, each after its supertypes. */
  private final class Definer {

    private final ClassLoader loader;
    private final Map<String, byte[]> classes;
    private final Method defineClass;
    private final Method findLoadedClass;

    Definer(ClassLoader loader, Map<String, byte[]> classes) throws NoSuchMethodException {
      this.loader = loader;
      this.classes = classes;
      // Lets this package call protected methods of class loaders, which an agent may do.
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of(),
          Map.of(Object.class.getPackageName(), Set.of(LibraryClasses.class.getModule())),
          Set.of(),
          Map.of());
      defineClass =
          ClassLoader.class.getDeclaredMethod(
              "defineClass",
              String.class,
              byte[].class,
              int.class,
              int.class,
              ProtectionDomain.class);
      findLoadedClass = ClassLoader.class.getDeclaredMethod("findLoadedClass", String.class);
      defineClass.setAccessible(true);
      findLoadedClass.setAccessible(true);
    }

    /**
     * Defines a class, if it is one of the library's.
     *
     * @return false if the JVM lacks the module of a supertype, such as Flight Recorder's; nothing
     *     needs the class then
     */
    boolean define(String name) throws UnexpectedClassException, ReflectiveOperationException {
      byte[] classFile = classes.get(name);
      if (classFile == null) {
        return !PLATFORM.matcher(name).lookingAt() || find(loader, name) != null;
      }
      if (isDefined(name)) {
        return true;
      }
      for (String superType : new ClassFile(classFile).superTypes()) {
        if (!define(superType)) {
          return false;
        }
      }
      try {
        defineClass.invoke(loader, name, classFile, 0, classFile.length, domain);
      } catch (InvocationTargetException e) {
        // Another thread may have defined it first.
        if (!isDefined(name)) {
          throw new IllegalStateException(name + " cannot be defined", e.getCause());
        }
      }
      return true;
    }

    private boolean isDefined(String name) throws ReflectiveOperationException {
      Class<?> defined = (Class<?>) findLoadedClass.invoke(loader, name);
      return defined != null && defined.getClassLoader() == loader;
    }
  }
}
