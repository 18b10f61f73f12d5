package io.github.mimalloc4j.agent;

import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Gives class loaders below the system class loader their own copy of the library, if the library's
 * jar itself is named as agent. The thin agent does without.
 *
 * <p>The library's jar then is on the system class path. Where Netty (or Spring) is only in a class
 * loader below, as in an executable Spring Boot jar, that loader would ask its parent first, and
 * get classes of ours that cannot find their superclasses: the application would fail as soon as it
 * used the library by name, or Spring as soon as it found our listener, also if the allocator is
 * not activated at all. So such a loader gets the library's classes before its first own class.
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
    // Other loaders are met only when they load Netty: they offer no way to ask for their own
    // classes without asking their parents and taking their locks.
    if (loader instanceof URLClassLoader urls && known.add(loader)) {
      for (LibraryClasses.Part part : LibraryClasses.Part.values()) {
        if (!part.isOnSystemClassPath() && urls.findResource(part.anchor()) != null) {
          try {
            library.define(part, loader);
          } catch (Exception | LinkageError e) {
            // Of no consequence unless the application uses the part; then it is told what is
            // wrong.
          }
        }
      }
    }
  }
}
