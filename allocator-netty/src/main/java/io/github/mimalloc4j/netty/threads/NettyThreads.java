package io.github.mimalloc4j.netty.threads;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.jspecify.annotations.Nullable;

/** What the Netty at hand knows of the calling thread. Older versions lack the newer methods. */
final class NettyThreads {

  /** The superclass of all virtual threads; null if there are none. */
  private static final @Nullable Class<?> VIRTUAL = findVirtual();

  private static final boolean KNOWS_VIRTUAL =
      has(() -> FastThreadLocalThread.currentThreadHasFastThreadLocal());

  private static final boolean KNOWS_CURRENT =
      has(() -> FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals());

  private NettyThreads() {}

  /** Initializes the class while there is memory for it. */
  static void initialize() {}

  /** Returns whether Netty removes the thread's {@link FastThreadLocal}s when it ends. */
  @SuppressWarnings("deprecation") // the replacement is called where Netty has it
  static boolean removesFastThreadLocals() {
    return KNOWS_CURRENT
        ? FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals()
        : FastThreadLocalThread.willCleanupFastThreadLocals(Thread.currentThread());
  }

  /**
   * Returns whether the calling thread is virtual and unknown to Netty: see {@link
   * FastThreadLocalThread#runWithFastThreadLocal}. There may be millions of such threads, so their
   * thread-local maps are not even looked up.
   */
  static boolean isUnknownVirtual(Thread current) {
    return VIRTUAL != null
        && VIRTUAL.isInstance(current)
        && !(KNOWS_VIRTUAL && FastThreadLocalThread.currentThreadHasFastThreadLocal());
  }

  private static @Nullable Class<?> findVirtual() {
    try {
      return Class.forName("java.lang.BaseVirtualThread");
    } catch (ClassNotFoundException e) {
      return null; // before JDK 19
    }
  }

  /** Takes a lambda: the method that a method reference names must exist when it is created. */
  private static boolean has(Runnable call) {
    try {
      call.run();
      return true;
    } catch (NoSuchMethodError e) {
      return false;
    }
  }
}
