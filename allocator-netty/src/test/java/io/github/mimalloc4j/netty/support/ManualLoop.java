package io.github.mimalloc4j.netty.support;

import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;

/** An event loop of Netty 4.2 that the calling thread drives. */
final class ManualLoop {

  private ManualLoop() {}

  /** The task is one of the loop's, which then ends. */
  static void run(Runnable task) {
    ManualIoEventLoop loop =
        new ManualIoEventLoop(Thread.currentThread(), NioIoHandler.newFactory());
    try {
      loop.execute(
          () -> {
            try {
              task.run();
            } finally {
              loop.shutdownGracefully(0, 1, TimeUnit.MINUTES);
            }
          });
      while (!loop.isTerminated()) {
        loop.run(TimeUnit.MILLISECONDS.toNanos(10));
      }
    } finally {
      if (!loop.isTerminated()) {
        loop.shutdownGracefully(0, 1, TimeUnit.MINUTES);
      }
    }
  }
}
