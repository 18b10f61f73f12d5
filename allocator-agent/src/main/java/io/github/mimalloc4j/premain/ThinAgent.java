package io.github.mimalloc4j.premain;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The entry points named in the jar's manifest. Without {@code -Dio.netty.allocator.type=mimalloc},
 * this class only says so, unless the property names an allocator of Netty's. With it, a separate
 * class loader loads the agent proper from the library, a jar nested in the agent's: the
 * application sees nothing of the library until Netty is loaded.
 *
 * <p>The public methods are called by the JVM.
 */
public final class ThinAgent {

  private static final String PROPERTY = "io.netty.allocator.type";
  private static final String MIMALLOC = "mimalloc";

  /** Netty's own types, which are case-sensitive. */
  private static final Set<String> OTHERS = Set.of("pooled", "adaptive", "unpooled");

  private static final String LIBRARY = "/META-INF/mimalloc4j/allocator-netty.jar";
  private static final String AGENT_CLASS = "io.github.mimalloc4j.agent.MiMallocAgent";

  private static final AtomicBoolean started = new AtomicBoolean();

  private ThinAgent() {}

  /**
   * Called before {@code main}, for {@code -javaagent}.
   *
   * @param arguments not used
   * @param instrumentation provided by the JVM
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  /**
   * Called when the agent is attached to a running JVM.
   *
   * @param arguments not used
   * @param instrumentation provided by the JVM
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  private static void start(@Nullable String arguments, Instrumentation instrumentation) {
    // Called twice if named both on the command line and in JAVA_TOOL_OPTIONS.
    if (!started.compareAndSet(false, true)) {
      return;
    }
    String type;
    try {
      type = System.getProperty(PROPERTY);
    } catch (SecurityException e) {
      System.err.println("mimalloc4j: the agent has no effect: it may not read its option, " + e);
      return;
    }
    if (!MIMALLOC.equals(type)) {
      if (type == null || !OTHERS.contains(type)) {
        System.err.println(
            "mimalloc4j: the agent has no effect, because of "
                + (type == null
                    ? "the missing option"
                    : "-D" + PROPERTY + '=' + type + " instead of")
                + " -D"
                + PROPERTY
                + '='
                + MIMALLOC);
      }
      return;
    }
    try {
      loader()
          .loadClass(AGENT_CLASS)
          .getMethod("premain", String.class, Instrumentation.class)
          .invoke(null, arguments, instrumentation);
    } catch (Throwable e) {
      // An exception would end the JVM.
      System.err.println(
          "mimalloc4j: the allocator is not activated, Netty stays as it is: the agent's jar"
              + " cannot be read, "
              + e);
      withdraw();
    }
  }

  /** Clears the property: Netty does not take its default for a type that it does not know. */
  private static void withdraw() {
    try {
      System.clearProperty(PROPERTY);
    } catch (SecurityException e) {
      System.err.println("mimalloc4j: -D" + PROPERTY + " cannot be cleared, " + e);
    }
  }

  private static ClassLoader loader() throws IOException {
    try (InputStream library = ThinAgent.class.getResourceAsStream(LIBRARY)) {
      if (library == null) {
        throw new IOException("it has no " + LIBRARY);
      }
      return new NestedAgentLoader(library, ThinAgent.class.getProtectionDomain());
    }
  }
}
