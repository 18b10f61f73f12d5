package io.github.mimalloc4j.agent;

import org.jspecify.annotations.Nullable;

/**
 * What the agent has to say. To standard error, as the JVM's own warnings: a logger asked for this
 * early would keep the application from configuring its logging.
 */
final class Warnings {

  private Warnings() {}

  /** Says that, and why, Netty keeps the allocator that it has without this library. */
  static void notActivated(@Nullable String reason) {
    System.err.println(
        "mimalloc4j: the allocator is not activated, Netty stays as it is: " + reason);
  }

  /** Says that a copy of Netty keeps its allocator, whatever may be done for Netty itself. */
  static void relocated(String className) {
    System.err.println(
        "mimalloc4j: "
            + className
            + " is a relocated copy of Netty, which keeps its own allocator");
  }
}
