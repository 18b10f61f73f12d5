package io.github.mimalloc4j.agent;

import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Gives class loaders below the system class loader their own copy of the library, if the library's
 * own jar is used as the agent. The thin agent does not need this.
 *
 * <p>In that case the library's jar is on the system class path. If Netty, Micrometer or Spring is
 * only in a class loader below, as in an executable Spring Boot jar, that loader asks its parent
 * first and gets classes of ours whose superclasses cannot be found. The application would fail
 * when it used the library by name, and Spring when it found our listener, even if the allocator is
 * not activated. Such a loader therefore gets the library's classes before it defines its first
 * class.
 */
final class ChildLoaders {

  private final LibraryClasses library;

  private final Set<ClassLoader> known =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  ChildLoaders(LibraryClasses library) {
    this.library = library;
    known.add(ClassLoader.getSystemClassLoader());
    known.add(ClassLoader.getPlatformClassLoader());
  }

  /** Called for each class that is about to be defined. */
  void seen(ClassLoader loader) {
    // Other loaders get the library only when they load Netty: they cannot be asked for their own
    // classes without asking their parents and taking their locks.
    if (loader instanceof URLClassLoader urls && known.add(loader)) {
      for (LibraryClasses.Part part : LibraryClasses.Part.values()) {
        try {
          if (!part.isOnSystemClassPath() && urls.findResource(part.anchor()) != null) {
            library.define(part, loader);
          }
        } catch (Exception | LinkageError e) {
          // Matters only if the application uses the part. It then gets the error itself.
        }
      }
    }
  }
}
