package io.github.mimalloc4j.agent;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.Selection;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The entry points that the jar's manifest names. Without {@code
 * -Dio.netty.allocator.type=mimalloc} no class of Netty's is touched.
 *
 * <p>Its public methods are for the JVM.
 */
public final class MiMallocAgent {

  private static final AtomicBoolean started = new AtomicBoolean();

  private MiMallocAgent() {}

  /**
   * Before {@code main}, by {@code -javaagent}.
   *
   * @param arguments not used
   * @param instrumentation the JVM's
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(instrumentation);
  }

  /**
   * Before {@code main}, by {@code Launcher-Agent-Class}; or attached later.
   *
   * @param arguments not used
   * @param instrumentation the JVM's
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(instrumentation);
  }

  private static void start(Instrumentation instrumentation) {
    // Named on the command line and in JAVA_TOOL_OPTIONS, it would come twice.
    if (!started.compareAndSet(false, true)) {
      return;
    }
    try {
      NettyTransformer transformer =
          new NettyTransformer(instrumentation, new LibraryClasses(instrumentation));
      instrumentation.addTransformer(transformer);
      Selection.agentIsThere();
      if (Selection.isMiMalloc() && isNettyLoaded(instrumentation)) {
        // Loaded, but perhaps not initialised.
        transformer.refuse(
            "it was loaded before this agent, by another one or from an AOT cache that was recorded"
                + " without this one");
      }
    } catch (Throwable e) {
      // It would end the JVM.
      Selection.withdraw();
      Warnings.notActivated(e.toString());
    }
  }

  private static boolean isNettyLoaded(Instrumentation instrumentation) {
    String name = ByteBufUtilPatch.TARGET.replace('/', '.');
    for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
      if (loaded.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
