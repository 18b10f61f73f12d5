package io.github.mimalloc4j.microbench.jvm;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Takes samples at fixed intervals, on a thread of its own, and whenever it is told to; one at a
 * time. They are kept in the Java heap, in the order of time.
 */
public final class Sampler<T> implements AutoCloseable {
  /** Where samples come from. */
  @FunctionalInterface
  public interface Source<T> {
    /**
     * Takes a sample.
     *
     * @param micros since the sampling began, or since the last {@link Sampler#take}
     */
    T sample(long micros) throws IOException, InterruptedException;
  }

  private final Source<T> source;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("sampler", true));
  private final Future<?> ticks;

  // Guarded by this.
  private final List<T> samples = new ArrayList<>();
  private long start = System.nanoTime();

  /** Begins to take samples. */
  public Sampler(Duration interval, Source<T> source) {
    this.source = source;
    ticks =
        thread.scheduleWithFixedDelay(this::tick, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      sample();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e); // ends the sampling
    }
  }

  /** Takes a sample now, and keeps it. */
  public synchronized T sample() throws IOException, InterruptedException {
    T sample = source.sample(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
    samples.add(sample);
    return sample;
  }

  /**
   * Takes one more sample. Returns all up to now; the next ones begin a new list.
   *
   * @throws IOException if one could not be taken
   */
  public synchronized List<T> take() throws IOException, InterruptedException {
    try {
      if (ticks.isDone()) {
        ticks.get(); // throws what has ended it
      }
    } catch (ExecutionException e) {
      throw new IOException("the sampling has ended: " + e.getCause(), e);
    }
    sample();
    List<T> taken = List.copyOf(samples);
    samples.clear();
    start = System.nanoTime();
    return taken;
  }

  /** The identifier of the sampling thread. */
  public long threadId() throws InterruptedException, ExecutionException {
    return thread.submit(() -> Thread.currentThread().getId()).get();
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
