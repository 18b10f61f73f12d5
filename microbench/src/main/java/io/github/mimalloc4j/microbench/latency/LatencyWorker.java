package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.result.Records;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The main class of the JVM that measures one subject; {@link WorkerProcess} starts it. */
final class LatencyWorker {
  /** What a line on standard output begins with that tells the part which is done. */
  static final String DONE = "done ";

  private static final long NANOS_BETWEEN = 2_000_000_000L;

  private long told = System.nanoTime();

  private LatencyWorker() {}

  private void tell(double done) {
    if (System.nanoTime() - told >= NANOS_BETWEEN) {
      told = System.nanoTime();
      System.out.println(DONE + done);
    }
  }

  /**
   * Runs.
   *
   * @param args a file for the result, the subject, and the number of operations
   */
  public static void main(String[] args) throws Exception {
    LatencyWorker worker = new LatencyWorker();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      RoundResult result =
          group
              .submit(() -> new LatencyRun(args[1]).measure(Long.parseLong(args[2]), worker::tell))
              .sync()
              .getNow();
      Records.write(Path.of(args[0]), result);
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
