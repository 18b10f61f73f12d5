package io.github.mimalloc4j.agent;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import io.github.mimalloc4j.activation.VertxPatch;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Changes classes of Vert.x when a class loader loads them. See {@link VertxPatch}.
 *
 * <p>Called like {@link NettyTransformer}.
 */
final class VertxTransformer implements ClassFileTransformer {

  private final LibraryClasses library;
  private final NettyTransformer netty;

  VertxTransformer(LibraryClasses library, NettyTransformer netty) {
    this.library = library;
    this.netty = netty;
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (loader == null || name == null) {
      return null;
    }
    try {
      if (name.equals(VertxPatch.HANDLER)) {
        return changeHandler(module, loader, classFile);
      }
      if (VertxPatch.ALLOCATOR_USERS.contains(name)
          && redefined == null
          && netty.isChosen()
          && !Selection.isVertxUnchanged()) {
        return VertxPatch.allocatorUser(classFile);
      }
    } catch (UnexpectedClassException e) {
      Warnings.vertxKeepsItsAllocator(name, e.getMessage());
    } catch (Throwable e) { // The JVM would ignore it.
      Warnings.vertxKeepsItsAllocator(name, e.toString());
    }
    return null;
  }

  /** Also changes what another agent redefines: otherwise it would be as before. */
  private byte @Nullable [] changeHandler(Module vertx, ClassLoader loader, byte[] classFile) {
    try {
      byte[] patched = VertxPatch.handler(classFile);
      if (patched == classFile) {
        return null; // no change is needed, or install() has made it
      }
      if (netty.isChosen()) {
        library.makeReachable(vertx, loader);
        return patched;
      }
    } catch (Throwable e) { // The JVM would ignore it.
      if (netty.isActivated()) {
        Warnings.vertxLeaks(e instanceof UnexpectedClassException ? e.getMessage() : e.toString());
      } // else it will not be
    }
    Selection.noteVertxUnchanged();
    return null;
  }

  /**
   * Returns why Netty must not use this library's allocator beside the Vert.x that a class loader
   * finds; null if it may.
   */
  static @Nullable String problem(ClassLoader loader) throws IOException {
    if (Selection.isVertxUnchanged()) {
      return "Vert.x, which must be changed, is loaded already or cannot be";
    }
    try (InputStream in = loader.getResourceAsStream(VertxPatch.HANDLER + ".class")) {
      if (in != null) {
        VertxPatch.handler(in.readAllBytes());
      }
      return null;
    } catch (UnexpectedClassException e) {
      return "Vert.x's class VertxHandler is not as expected, " + e.getMessage();
    }
  }
}
