package io.github.mimalloc4j.microbench.workload;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Virtual threads on JDKs that have them: this project is compiled for JDK 17. */
public final class VirtualThreads {
  private static final @Nullable ThreadFactory FACTORY = find();

  private VirtualThreads() {}

  private static @Nullable ThreadFactory find() {
    if (Runtime.version().feature() < 21) {
      return null; // or with a preview option only
    }
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return (ThreadFactory)
          Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whether virtual threads can be had without a preview option. */
  public static boolean areThere() {
    return FACTORY != null;
  }

  /**
   * Makes virtual threads.
   *
   * @throws IllegalStateException if there are none
   */
  public static ThreadFactory factory() {
    if (FACTORY == null) {
      throw new IllegalStateException(
          "virtual threads need JDK 21 or newer, and this is JDK " + Runtime.version().feature());
    }
    return FACTORY;
  }
}
