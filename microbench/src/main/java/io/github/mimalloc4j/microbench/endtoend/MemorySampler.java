package io.github.mimalloc4j.microbench.endtoend;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Asks a server for its memory again and again while it is under load, and keeps the peak. */
final class MemorySampler extends Thread {
  private static final int PERIOD_MILLIS = 200;

  private final Callable<ServerMemory> server;
  private volatile boolean stopped;

  /** Written by this thread; read when it has ended. */
  private @Nullable ServerMemory peak;

  private @Nullable Exception failure;

  MemorySampler(Callable<ServerMemory> server) {
    super("memory-sampler");
    this.server = server;
    setDaemon(true);
  }

  @Override
  public void run() {
    try {
      do {
        ServerMemory now = server.call();
        ServerMemory before = peak;
        peak = before == null ? now : before.max(now);
        pause();
      } while (!stopped);
    } catch (Exception e) {
      failure = e;
    }
  }

  private synchronized void pause() throws InterruptedException {
    if (!stopped) {
      wait(PERIOD_MILLIS);
    }
  }

  /** Ends the sampling. */
  ServerMemory peak() throws IOException, InterruptedException {
    synchronized (this) {
      stopped = true;
      notifyAll();
    }
    join();
    ServerMemory found = peak;
    if (failure != null || found == null) {
      throw new IOException("the server did not tell its memory: " + failure, failure);
    }
    return found;
  }
}
