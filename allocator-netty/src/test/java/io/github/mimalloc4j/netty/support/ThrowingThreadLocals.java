package io.github.mimalloc4j.netty.support;

import io.netty.util.concurrent.FastThreadLocal;

/**
 * Thread-locals that throw when they are removed. Netty then leaves out the rest of them, ours too
 * perhaps, so that nobody tells of the thread's end.
 */
public final class ThrowingThreadLocals {

  /** The order in which they are removed is not defined: some of so many come before ours. */
  private static final int COUNT = 16;

  private ThrowingThreadLocals() {}

  /** Has the calling thread end by their exceptions, without a word. */
  public static void setOnThisThread() {
    for (int n = 0; n < COUNT; n++) {
      new ThrowsAtTheEnd().get();
    }
    Thread.currentThread().setUncaughtExceptionHandler((dead, exception) -> {});
  }

  private static final class ThrowsAtTheEnd extends FastThreadLocal<Integer> {
    @Override
    protected Integer initialValue() {
      return 1;
    }

    @Override
    protected void onRemoval(Integer value) {
      throw new IllegalStateException("as planned");
    }
  }
}
