package io.github.mimalloc4j.agent;

import org.jspecify.annotations.Nullable;

/**
 * The agent's messages. They go to standard error, like the JVM's own warnings: using a logger this
 * early would keep the application from configuring its logging.
 */
final class Warnings {

  private Warnings() {}

  /** Warns that Netty keeps its own allocator, and why. */
  static void notActivated(@Nullable String reason) {
    System.err.println(
        "mimalloc4j: the allocator is not activated, Netty stays as it is: " + reason);
  }

  /**
   * Warns that a relocated copy of Netty keeps its allocator, whether or not Netty itself is
   * changed.
   */
  static void relocated(String className) {
    System.err.println(
        "mimalloc4j: "
            + className
            + " is a relocated copy of Netty, which keeps its own allocator");
  }

  /** Warns that Vert.x keeps its own allocator, and why. Netty itself is changed. */
  static void vertxKeepsItsAllocator(String className, @Nullable String reason) {
    System.err.println(
        "mimalloc4j: Vert.x keeps its own allocator: its class "
            + className.replace('/', '.')
            + " is not as expected, "
            + reason);
  }

  /** Warns that Vert.x will not release buffers. Netty was changed before Vert.x was loaded. */
  static void vertxLeaks(@Nullable String reason) {
    System.err.println(
        "mimalloc4j: Vert.x WILL LEAK whatever it receives, use another allocator: its class"
            + " VertxHandler cannot be changed, "
            + reason);
  }
}
