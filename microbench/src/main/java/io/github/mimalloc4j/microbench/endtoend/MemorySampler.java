package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.endtoend.ServerStatistics.Memory;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Asks a server for its memory again and again while it is under load, and keeps the peak. */
final class MemorySampler implements AutoCloseable {
  private static final int PERIOD_MILLIS = 200;

  private final Callable<Memory> server;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Future<?> samples;

  private Memory peak = new Memory(0, null);

  MemorySampler(Callable<Memory> server) {
    this.server = server;
    samples = thread.scheduleWithFixedDelay(this::sample, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Memory sample() {
    try {
      peak = peak.max(server.call());
      return peak;
    } catch (Exception e) {
      throw new IllegalStateException(e); // ends the sampling
    }
  }

  /** Takes a last sample. */
  Memory peak() throws IOException, InterruptedException {
    try {
      if (samples.isDone()) {
        samples.get(); // throws what has ended it
      }
      return thread.submit(this::sample).get();
    } catch (ExecutionException e) {
      throw new IOException("the server did not report its memory: " + e.getCause(), e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
