package io.github.mimalloc4j.microbench.soak;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Some of Netty's event loops, which begin and end together. */
final class LoopGroup {
  private static final int CLOSE_SECONDS = 20;

  private final EventExecutorGroup group;
  private final List<EventExecutor> executors = new ArrayList<>();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

  LoopGroup(ThreadKind kind, int size) {
    DefaultThreadFactory factory =
        new DefaultThreadFactory("soak-" + kind, true) {
          @Override
          protected Thread newThread(Runnable task, String name) {
            Thread thread = super.newThread(task, name);
            threads.add(thread);
            return thread;
          }
        };
    group =
        kind == ThreadKind.NIO_EVENT_LOOP
            ? new MultiThreadIoEventLoopGroup(size, factory, NioIoHandler.newFactory())
            : new DefaultEventExecutorGroup(size, factory);
    group.forEach(executors::add);
  }

  List<EventExecutor> executors() {
    return executors;
  }

  /**
   * Waits for the end of the threads, which the group's future is a little before; not for ever,
   * for one of them may be stuck.
   */
  void close() throws InterruptedException {
    group.shutdownGracefully(0, CLOSE_SECONDS, SECONDS).await(CLOSE_SECONDS, SECONDS);
    for (Thread thread : threads) {
      thread.join(SECONDS.toMillis(CLOSE_SECONDS));
    }
  }
}
