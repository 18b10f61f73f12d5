package io.github.mimalloc4j.netty.threads;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.InternalThreadLocalMap;
import io.netty.util.internal.ThreadExecutorMap;
import org.jspecify.annotations.Nullable;

/** Threads of other classes than {@link FastThreadLocalThread}. */
final class OtherThreads {

  /** The superclass of all virtual threads; null where there are none. */
  private static final @Nullable Class<?> VIRTUAL = findVirtual();

  private static final boolean NETTY_KNOWS_VIRTUAL = nettyKnowsVirtual();

  private OtherThreads() {}

  /** Has everything linked while there is memory for it. */
  static void initialize() {}

  /**
   * Whether the calling thread, which is no {@link FastThreadLocalThread}, is virtual, and Netty
   * was not told of it: see {@link FastThreadLocalThread#runWithFastThreadLocal}. There may be
   * millions of them, and not even an empty entry is made in a thread-local map of theirs.
   */
  static boolean isUnknownVirtual(Thread current) {
    return VIRTUAL != null
        && VIRTUAL.isInstance(current)
        && !(NETTY_KNOWS_VIRTUAL && FastThreadLocalThread.currentThreadHasFastThreadLocal());
  }

  /**
   * Whether the calling thread is in a task of an event executor. Which executor that is stands in
   * a {@link FastThreadLocal}, so it is not looked for, and no map made, where there are none.
   */
  static boolean isInExecutor() {
    return InternalThreadLocalMap.getIfSet() != null && ThreadExecutorMap.currentExecutor() != null;
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
      return false; // Netty 4.1, and the first of 4.2
    }
  }
}
