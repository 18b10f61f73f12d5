package io.github.mimalloc4j.netty.installation;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.UnexpectedClassException;
import io.github.mimalloc4j.activation.VertxPatch;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Defines changed classes of Vert.x before Vert.x's own are loaded. See {@link VertxPatch}.
 *
 * <p>Looks for Vert.x where this library is.
 */
final class VertxInstallation {

  /** A class of each package, whose loading loads none of the changed classes. */
  private static final String[] NEIGHBOURS = {
    "io.vertx.core.net.impl.ConnectionBase", "io.vertx.core.buffer.impl.VertxByteBufAllocator",
  };

  private static final ClassLoader LOADER = VertxInstallation.class.getClassLoader();

  private VertxInstallation() {}

  /**
   * Makes Vert.x, if it is there, release this library's buffers.
   *
   * @throws UnsupportedOperationException if that is impossible: Netty must keep its default then
   */
  static void changeHandler() throws IOException {
    byte[] original = read(VertxPatch.HANDLER);
    if (original == null) {
      return;
    }
    try {
      byte[] patched = VertxPatch.handler(original);
      if (patched != original && !define(VertxPatch.HANDLER, patched) && !isChangedByAgent()) {
        throw refused("is loaded already: call this method in the first line of main");
      }
    } catch (UnexpectedClassException e) {
      throw refused("is not as expected, " + e.getMessage());
    } catch (ReflectiveOperationException e) {
      throw refused("cannot be changed, use -javaagent: " + e);
    }
  }

  /** Makes Vert.x 4 use Netty's default allocator as far as possible. */
  static void changeAllocatorUsers() {
    for (String name : VertxPatch.ALLOCATOR_USERS) {
      try {
        byte[] original = read(name);
        byte[] patched = original == null ? null : VertxPatch.allocatorUser(original);
        if (patched != null && patched != original) {
          define(name, patched);
        }
      } catch (Exception | LinkageError e) {
        // It keeps its own allocator. Netty's is ours all the same.
      }
    }
  }

  private static boolean isChangedByAgent() {
    return Selection.isAgentThere() && !Selection.isVertxUnchanged();
  }

  private static UnsupportedOperationException refused(String reason) {
    return new UnsupportedOperationException(
        "Vert.x would not release its buffers: its class VertxHandler " + reason);
  }

  private static byte @Nullable [] read(String name) throws IOException {
    try (InputStream in = LOADER.getResourceAsStream(name + ".class")) {
      return in == null ? null : in.readAllBytes();
    }
  }

  /** Returns false if the class was not defined, since it was already loaded. */
  private static boolean define(String name, byte[] classFile) throws ReflectiveOperationException {
    Class<?> neighbour = neighbour(name);
    if (neighbour == null) {
      return false; // a class of Quarkus, which needs the agent
    }
    if (Class.forName(Selection.VERTX_ALLOCATOR, false, neighbour.getClassLoader()).getModule()
        != VertxInstallation.class.getModule()) {
      throw new ClassNotFoundException(Selection.VERTX_ALLOCATOR);
    }
    return Installation.defineUnlessLoaded(
        MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup()), classFile);
  }

  private static @Nullable Class<?> neighbour(String name) throws ClassNotFoundException {
    String folder = name.substring(0, name.lastIndexOf('/') + 1);
    for (String neighbour : NEIGHBOURS) {
      if (neighbour.replace('.', '/').startsWith(folder)) {
        return Class.forName(neighbour, false, LOADER);
      }
    }
    return null;
  }
}
