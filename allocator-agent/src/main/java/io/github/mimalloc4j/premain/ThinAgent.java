package io.github.mimalloc4j.premain;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The entry points that the jar's manifest names. Without {@code
 * -Dio.netty.allocator.type=mimalloc} nothing is done. With it, the agent proper is loaded from the
 * library, a jar within the agent's, by a class loader of its own: the application sees nothing of
 * the library until Netty is loaded.
 *
 * <p>Its public methods are for the JVM.
 */
public final class ThinAgent {

  private static final String PROPERTY = "io.netty.allocator.type";
  private static final String MIMALLOC = "mimalloc";
  private static final String LIBRARY = "/META-INF/mimalloc4j/allocator-netty.jar";
  private static final String AGENT_CLASS = "io.github.mimalloc4j.agent.MiMallocAgent";

  private static final AtomicBoolean started = new AtomicBoolean();

  private ThinAgent() {}

  /**
   * Before {@code main}, by {@code -javaagent}.
   *
   * @param arguments not used
   * @param instrumentation the JVM's
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  /**
   * Attached to a running JVM.
   *
   * @param arguments not used
   * @param instrumentation the JVM's
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  private static void start(@Nullable String arguments, Instrumentation instrumentation) {
    // Named on the command line and in JAVA_TOOL_OPTIONS, it would come twice.
    if (!MIMALLOC.equals(System.getProperty(PROPERTY)) || !started.compareAndSet(false, true)) {
      return;
    }
    try {
      loader()
          .loadClass(AGENT_CLASS)
          .getMethod("premain", String.class, Instrumentation.class)
          .invoke(null, arguments, instrumentation);
    } catch (Throwable e) {
      // It would end the JVM. For a type that it does not know, Netty would not take its default.
      System.clearProperty(PROPERTY);
      System.err.println(
          "mimalloc4j: the allocator is not activated, Netty stays as it is: the agent's jar"
              + " cannot be read, "
              + e);
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
