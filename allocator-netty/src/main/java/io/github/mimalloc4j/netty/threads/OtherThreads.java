package io.github.mimalloc4j.netty.threads;

import io.netty.util.concurrent.FastThreadLocalThread;
import org.jspecify.annotations.Nullable;

/** Threads of classes other than {@link FastThreadLocalThread}. */
final class OtherThreads {

  /** The superclass of all virtual threads; null if there are none. */
  private static final @Nullable Class<?> VIRTUAL = findVirtual();

  private static final boolean NETTY_KNOWS_VIRTUAL = nettyKnowsVirtual();

  private OtherThreads() {}

  /** Links the code of this class while there is memory for it. */
  static void initialize() {}

  /**
   * Returns whether the calling thread, which is not a {@link FastThreadLocalThread}, is virtual
   * and unknown to Netty: see {@link FastThreadLocalThread#runWithFastThreadLocal}. There may be
   * millions of such threads, so not even an empty entry is created in their thread-local maps.
   */
  static boolean isUnknownVirtual(Thread current) {
    return VIRTUAL != null
        && VIRTUAL.isInstance(current)
        && !(NETTY_KNOWS_VIRTUAL && FastThreadLocalThread.currentThreadHasFastThreadLocal());
  }

  private static @Nullable Class<?> findVirtual() {
    try {
      return Class.forName("java.lang.BaseVirtualThread");
    } catch (ClassNotFoundException e) {
      return null; // before JDK 19
    }
  }

  private static boolean nettyKnowsVirtual() {
    try {
      FastThreadLocalThread.currentThreadHasFastThreadLocal();
      return true;
    } catch (NoSuchMethodError e) {
      return false; // Netty 4.1, and early 4.2
    }
  }
}
