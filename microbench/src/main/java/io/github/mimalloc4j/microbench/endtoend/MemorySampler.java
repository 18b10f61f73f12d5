package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Memory;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks a server for its memory again and again while it is under load, and keeps the peak. */
final class MemorySampler implements AutoCloseable {
  private static final int PERIOD_MILLIS = 200;

  private final Callable<Memory> server;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Future<?> samples;

  /** For the thread. */
  private @Nullable Memory peak;

  MemorySampler(Callable<Memory> server) {
    this.server = server;
    samples =
        thread.scheduleWithFixedDelay(
            this::sampleUnchecked, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Memory sample() throws Exception {
    Memory now = server.call();
    peak = peak == null ? now : peak.max(now);
    return peak;
  }

  private void sampleUnchecked() {
    try {
      sample();
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
      throw new IOException("the server did not tell its memory: " + e.getCause(), e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
