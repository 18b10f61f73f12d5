package io.github.mimalloc4j.netty.threads;

import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;

/** Finds out whether Netty removes a thread's {@link FastThreadLocal}s when the thread ends. */
final class FastThreadLocals {

  private static final boolean NETTY_KNOWS_CURRENT = nettyKnowsCurrent();

  private FastThreadLocals() {}

  /** Initializes the class while there is memory for it. */
  static void initialize() {}

  /** Returns whether Netty removes those of the calling thread when the thread ends. */
  @SuppressWarnings("deprecation") // the replacement is called where Netty has it
  static boolean areCleanedUp() {
    return NETTY_KNOWS_CURRENT
        ? FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals()
        : FastThreadLocalThread.willCleanupFastThreadLocals(Thread.currentThread());
  }

  private static boolean nettyKnowsCurrent() {
    try {
      FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals();
      return true;
    } catch (NoSuchMethodError e) { // Netty 4.1
      return false;
    }
  }
}
