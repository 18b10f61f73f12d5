package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.LoadResult;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A part of a load that one event loop makes. What it counts belongs to that loop; others read it
 * when the part has finished.
 */
abstract class Driving {
  /** How long after the end of its time a load waits for answers. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final EventExecutor executor;
  private final long start;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  private long underWay;
  private long requests;
  private long lastNanos;
  private long errors;
  private @Nullable String firstError;

  Driving(EventExecutor executor, long start) {
    this.executor = executor;
    this.start = start;
    this.lastNanos = start;
  }

  /**
   * Runs all parts of a load and adds up what they found.
   *
   * @param patience how long to wait for answers after the end of the time
   */
  static LoadResult run(List<Driving> parts, Duration time, Duration patience)
      throws InterruptedException {
    for (Driving part : parts) {
      part.executor.execute(part::start);
    }
    long until = System.nanoTime() + time.plus(patience).toNanos();
    for (Driving part : parts) {
      part.await(until - System.nanoTime(), patience);
    }
    long requests = parts.stream().mapToLong(part -> part.requests).sum();
    double nanos = parts.stream().mapToLong(part -> part.lastNanos - part.start).max().orElse(0);
    long errors = parts.stream().mapToLong(part -> part.errors).sum();
    @Nullable String firstError =
        parts.stream()
            .map(part -> part.firstError)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    return new LoadResult(requests, nanos / 1e9, errors, firstError, null);
  }

  private void await(long nanos, Duration patience) throws InterruptedException {
    try {
      finished.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // On its thread, so that all that it counted can be read here.
      executor.submit(() -> giveUp(patience)).await();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void giveUp(Duration patience) {
    if (!finished.isDone()) {
      errors += Math.max(1, underWay); // what was due and not sent yet is not under way
      firstError =
          Objects.requireNonNullElse(
              firstError, "no answer for " + patience.toMillis() + " ms after the end of the load");
      finish();
    }
  }

  /** Sends the first requests, on the event loop. */
  abstract void start();

  /** Counts requests that are about to be sent. */
  final void sending(int count) {
    underWay += count;
  }

  /** Counts an answer. */
  final void count(@Nullable String error) {
    underWay--;
    if (error == null) {
      requests++;
      lastNanos = System.nanoTime();
    } else {
      errors++;
      firstError = Objects.requireNonNullElse(firstError, error);
    }
  }

  /** Is called once, when there is nothing under way any more. */
  final void finish() {
    finished.complete(null);
  }

  final long underWay() {
    return underWay;
  }

  final long errors() {
    return errors;
  }

  /** When the last correct answer came. */
  final long lastNanos() {
    return lastNanos;
  }
}
