package io.github.mimalloc4j.netty.support;

import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** An event loop that knows what was ever submitted to it. */
public final class CountingEventLoop extends DefaultEventLoop implements AutoCloseable {

  private final AtomicInteger scheduled = new AtomicInteger();
  private final Map<Long, Integer> scheduledByNanos = new ConcurrentHashMap<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger executed = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  public CountingEventLoop() {
    super(new DefaultThreadFactory("counting", true));
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    scheduled.incrementAndGet();
    scheduledByNanos.merge(unit.toNanos(delay), 1, Integer::sum);
    return super.schedule(
        () -> {
          try {
            task.run();
          } catch (Throwable t) {
            failure.set(t); // a future that nobody looks at would hide it
          } finally {
            done.incrementAndGet();
          }
        },
        delay,
        unit);
  }

  @Override
  public void execute(Runnable task) {
    executed.incrementAndGet();
    super.execute(task);
  }

  /** How many tasks were scheduled, with any delay. */
  public int scheduled() {
    return scheduled.get();
  }

  /** How many tasks were scheduled with such a delay. */
  public int scheduled(long delayMillis) {
    return scheduledByNanos.getOrDefault(TimeUnit.MILLISECONDS.toNanos(delayMillis), 0);
  }

  /** How many tasks were submitted in any way. A task counts twice that others schedule. */
  public int submitted() {
    return scheduled.get() + executed.get();
  }

  /** How many tasks were scheduled and have not run yet; or more, while they run. */
  public int pending() {
    int ran = done.get(); // first: a task that runs in between may schedule the next one
    return scheduled.get() - ran;
  }

  /** Waits until all that was scheduled has run, and rethrows. Failures of upkeep are logged. */
  public void awaitQuiet() {
    Patience.await().until(() -> pending() == 0);
    if (failure.get() != null) {
      throw new AssertionError("in a scheduled task: " + failure.get(), failure.get());
    }
  }

  /** Runs the task here, waits for it, and rethrows. */
  public <T> T call(Callable<T> task) {
    try {
      return submit(task).get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("on another thread: " + e, e);
    }
  }

  /** Keeps the loop from its other tasks. */
  public void stayBusyUntil(CountDownLatch opened) {
    execute(
        () -> {
          try {
            opened.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Override
  public void close() {
    new Deadline().awaitEnd(shutdownGracefully(0, 1, TimeUnit.MINUTES), "a counting event loop");
  }
}
