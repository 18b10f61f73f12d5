package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs JMH's workers on threads of Netty's event executors, one executor a thread. Tasks go to them
 * in turn: each round of as many tasks as threads puts one on each thread, as JMH needs.
 *
 * <p>Allocators treat such threads better than others (a heap, a magazine or a cache of their own),
 * and they are what serves traffic, so a benchmark on any other thread would measure the wrong
 * path. JMH finds this class by the system properties in {@link ForkOptions} and calls its
 * constructor.
 */
public final class EventLoopExecutor extends DefaultEventExecutorGroup {
  public EventLoopExecutor(int threads, String prefix) {
    super(threads, new DefaultThreadFactory(prefix, true));
  }

  /** Checks that the current thread is one that an allocator takes for an event loop's. */
  static void requireEventLoopThread() {
    if (ThreadExecutorMap.currentExecutor() == null
        || !FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals()) {
      throw new IllegalStateException(
          "this benchmark needs event-loop threads: run it with "
              + ForkOptions.EXECUTOR
              + " "
              + ForkOptions.EXECUTOR_CLASS
              + "; a -jvmArgsPrepend of your own replaces these, -jvmArgsAppend does not");
    }
  }

  /** Checks that the current thread is one that no allocator takes for an event loop's. */
  public static void requirePlainThread() {
    if (ThreadExecutorMap.currentExecutor() != null
        || FastThreadLocalThread.currentThreadWillCleanupFastThreadLocals()) {
      throw new IllegalStateException(
          "this benchmark needs plain threads: run it without " + ForkOptions.EXECUTOR);
    }
  }

  @Override
  @Deprecated
  public void shutdown() {
    shutdownGracefully(0, 10, TimeUnit.SECONDS);
  }
}
