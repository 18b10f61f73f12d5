package io.github.mimalloc4j.activation;

import org.jspecify.annotations.Nullable;

/** The system property that selects Netty's allocator. */
public final class Selection {

  public static final String PROPERTY = "io.netty.allocator.type";
  public static final String MIMALLOC = "mimalloc";

  /** The class that Netty calls instead of its own, as {@link Class#getName} returns it. */
  public static final String DEFAULT_ALLOCATOR =
      "io.github.mimalloc4j.netty.selection.DefaultAllocator";

  /** Set by the agent for the library, which may be in another class loader. */
  private static final String AGENT_PROPERTY = "io.github.mimalloc4j.agent";

  private Selection() {}

  /** Whether the property names this library's allocator. Case-sensitive, as in Netty. */
  public static boolean isMiMalloc() {
    return MIMALLOC.equals(type());
  }

  /** Whether the property names another allocator, which the user then wants. */
  public static boolean isOther() {
    String type = type();
    return type != null && !type.equals(MIMALLOC);
  }

  /**
   * Lets Netty take its default. If the property names a type that Netty does not know, as ours is
   * without this library, Netty takes another allocator.
   */
  public static void withdraw() {
    if (isMiMalloc()) {
      System.clearProperty(PROPERTY);
    }
  }

  /** Makes {@link #isAgentThere} return true. */
  public static void agentIsThere() {
    System.setProperty(AGENT_PROPERTY, "true");
  }

  /** Whether the agent will change Netty when it is loaded. */
  public static boolean isAgentThere() {
    return Boolean.getBoolean(AGENT_PROPERTY);
  }

  public static @Nullable String type() {
    return System.getProperty(PROPERTY);
  }
}
