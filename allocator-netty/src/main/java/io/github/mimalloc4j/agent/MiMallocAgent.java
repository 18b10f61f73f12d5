package io.github.mimalloc4j.agent;

import io.github.mimalloc4j.activation.ByteBufUtilPatch;
import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.activation.VertxPatch;
import java.lang.instrument.Instrumentation;
import java.util.Arrays;
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
      LibraryClasses library = new LibraryClasses(instrumentation);
      NettyTransformer transformer = new NettyTransformer(library);
      VertxTransformer vertxTransformer = new VertxTransformer(library, transformer);
      Selection.noteAgent(); // before anything changes: it may be denied
      instrumentation.addTransformer(transformer);
      instrumentation.addTransformer(vertxTransformer);
      if (isLoaded(instrumentation, VertxPatch.HANDLER)) {
        Selection.noteVertxUnchanged();
      }
      if (Selection.isMiMalloc() && isLoaded(instrumentation, ByteBufUtilPatch.TARGET)) {
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

  private static boolean isLoaded(Instrumentation instrumentation, String name) {
    String className = name.replace('/', '.');
    return Arrays.stream(instrumentation.getAllLoadedClasses())
        .anyMatch(loaded -> loaded.getName().equals(className));
  }
}
