package io.github.mimalloc4j.microbench;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Starts virtual threads, on JDKs that have them: this project is compiled for JDK 17. */
public final class VirtualThreads {
  private static final @Nullable MethodHandle START = find();

  private VirtualThreads() {}

  private static @Nullable MethodHandle find() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Thread.class,
              "startVirtualThread",
              MethodType.methodType(Thread.class, Runnable.class));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whether virtual threads can be had without a preview option. */
  public static boolean areThere() {
    return START != null && Runtime.version().feature() >= 21;
  }

  /**
   * Checks that virtual threads can be had.
   *
   * @throws IllegalStateException if not
   */
  static void require() {
    if (!areThere()) {
      throw new IllegalStateException(
          "virtual threads need JDK 21 or newer, and this is JDK " + Runtime.version().feature());
    }
  }

  /** Starts a thread. */
  public static Thread start(Runnable task) {
    require();
    assert START != null;
    try {
      return (Thread) START.invokeExact(task);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot start a virtual thread", e);
    }
  }
}
