package io.github.mimalloc4j.agent;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.Selection;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The entry points named in the jar's manifest. Without {@code -Dio.netty.allocator.type=mimalloc},
 * no class of Netty is changed.
 *
 * <p>The public methods are called by the JVM.
 */
public final class MiMallocAgent {

  private static final AtomicBoolean started = new AtomicBoolean();

  private MiMallocAgent() {}

  /**
   * Called before {@code main}, for {@code -javaagent}.
   *
   * @param arguments not used
   * @param instrumentation provided by the JVM
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(instrumentation);
  }

  /**
   * Called before {@code main}, for {@code Launcher-Agent-Class}, or when the agent is attached
   * later.
   *
   * @param arguments not used
   * @param instrumentation provided by the JVM
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(instrumentation);
  }

  private static void start(Instrumentation instrumentation) {
    // Called twice if named both on the command line and in JAVA_TOOL_OPTIONS.
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
      // An exception would end the JVM.
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
