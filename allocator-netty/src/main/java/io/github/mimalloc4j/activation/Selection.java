package io.github.mimalloc4j.activation;

import org.jspecify.annotations.Nullable;

/** The system property by which users choose Netty's allocator, and whether it names ours. */
public final class Selection {

  public static final String PROPERTY = "io.netty.allocator.type";
  public static final String MIMALLOC = "mimalloc";

  /** The class that Netty is made to ask instead of its own, as {@link Class#getName} has it. */
  public static final String DEFAULT_ALLOCATOR =
      "io.github.mimalloc4j.netty.selection.DefaultAllocator";

  /** Is set by the agent, for the library, which may be in another class loader. */
  private static final String AGENT_PROPERTY = "io.github.mimalloc4j.agent";

  private Selection() {}

  /** Whether the property names this library's allocator. Written as Netty compares: exactly. */
  public static boolean isMiMalloc() {
    return MIMALLOC.equals(type());
  }

  /** Whether the property names some other allocator, which then is the user's wish. */
  public static boolean isOther() {
    String type = type();
    return type != null && !type.equals(MIMALLOC);
  }

  /**
   * Lets Netty take its default. For a type that it does not know, which ours is without the
   * library, it takes another.
   */
  public static void withdraw() {
    if (isMiMalloc()) {
      System.clearProperty(PROPERTY);
    }
  }

  /** Tells {@link #isAgentThere}. */
  public static void agentIsThere() {
    System.setProperty(AGENT_PROPERTY, "true");
  }

  /** Whether the agent will see to Netty when it is loaded. */
  public static boolean isAgentThere() {
    return Boolean.getBoolean(AGENT_PROPERTY);
  }

  /** The property's value. */
  public static @Nullable String type() {
    return System.getProperty(PROPERTY);
  }
}
