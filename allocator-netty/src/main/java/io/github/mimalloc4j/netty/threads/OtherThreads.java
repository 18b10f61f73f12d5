package io.github.mimalloc4j.netty.threads;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.InternalThreadLocalMap;
import org.jspecify.annotations.Nullable;

/**
 * Threads of other classes than {@link FastThreadLocalThread}. Whichever runs an event executor has
 * a map of {@link FastThreadLocal}s, in which the executor is: so others are passed over without
 * such a map being made for them.
 */
final class OtherThreads {

  /** The superclass of all virtual threads; null where there are none. */
  private static final @Nullable Class<?> VIRTUAL = findVirtual();

  private static final boolean NETTY_KNOWS_VIRTUAL = nettyKnowsVirtual();

  private OtherThreads() {}

  /** Has everything linked while there is memory for it. */
  static void initialize() {}

  /**
   * Whether the calling thread, which is no {@link FastThreadLocalThread}, may run an event
   * executor.
   *
   * <p>Of virtual threads, one that Netty was told of: see {@link
   * FastThreadLocalThread#runWithFastThreadLocal}. Of the others there may be millions, and not
   * even an empty entry is made in a thread-local map of theirs.
   */
  static boolean mayRunExecutor(Thread current) {
    if (VIRTUAL != null && VIRTUAL.isInstance(current)) {
      return NETTY_KNOWS_VIRTUAL && FastThreadLocalThread.currentThreadHasFastThreadLocal();
    }
    return InternalThreadLocalMap.getIfSet() != null;
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
