package io.github.mimalloc4j.activation;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The system property that selects Netty's allocator. */
public final class Selection {

  public static final String PROPERTY = "io.netty.allocator.type";
  public static final String MIMALLOC = "mimalloc";

  /**
   * The name of the class that Netty uses instead of its own, in the format of {@link
   * Class#getName}.
   */
  public static final String DEFAULT_ALLOCATOR =
      "io.github.mimalloc4j.netty.redirection.DefaultAllocator";

  /** The name of the class that Vert.x calls, in the same format. */
  public static final String VERTX_ALLOCATOR =
      "io.github.mimalloc4j.netty.redirection.VertxAllocator";

  private static final Set<String> NETTYS = Set.of("pooled", "adaptive", "unpooled");

  /** Set by the agent for the library, which may be in another class loader. */
  private static final String AGENT_PROPERTY = "io.github.mimalloc4j.agent";

  /** Set by the agent for the library. */
  private static final String VERTX_PROPERTY = "io.github.mimalloc4j.vertx.unchanged";

  private Selection() {}

  /** Returns whether the property names this library's allocator. Case-sensitive, as in Netty. */
  public static boolean isMiMalloc() {
    return MIMALLOC.equals(type());
  }

  /** Returns whether the property names another allocator, which then takes precedence. */
  public static boolean isOther() {
    String type = type();
    return type != null && !type.equals(MIMALLOC);
  }

  /** Returns whether the property names one of Netty's allocators. Case-sensitive, as in Netty. */
  public static boolean isNettys() {
    String type = type();
    return type != null && NETTYS.contains(type);
  }

  /**
   * Clears the property if it names this library's allocator, so that Netty takes its default. For
   * a type that it does not know, Netty would take another allocator. Does nothing if a security
   * manager denies it.
   */
  public static void withdraw() {
    if (isMiMalloc()) {
      try {
        System.clearProperty(PROPERTY);
      } catch (SecurityException e) {
        // Netty warns of the type.
      }
    }
  }

  /** Makes {@link #isAgentThere} return true. */
  public static void noteAgent() {
    System.setProperty(AGENT_PROPERTY, "true");
  }

  /** Returns whether the agent will change Netty when it is loaded. */
  public static boolean isAgentThere() {
    return Boolean.parseBoolean(property(AGENT_PROPERTY));
  }

  /** Makes {@link #isVertxUnchanged} return true. */
  public static void noteVertxUnchanged() {
    System.setProperty(VERTX_PROPERTY, "true");
  }

  /**
   * Returns whether the agent knows a Vert.x that would not release this library's buffers. They
   * must not become Netty's default then.
   */
  public static boolean isVertxUnchanged() {
    return Boolean.parseBoolean(property(VERTX_PROPERTY));
  }

  public static @Nullable String type() {
    return property(PROPERTY);
  }

  /** Returns a property; null if it is not set, or if a security manager hides it, as to Netty. */
  private static @Nullable String property(String name) {
    try {
      return System.getProperty(name);
    } catch (SecurityException e) {
      return null;
    }
  }
}
