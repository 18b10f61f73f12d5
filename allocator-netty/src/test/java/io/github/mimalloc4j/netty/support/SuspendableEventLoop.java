package io.github.mimalloc4j.netty.support;

import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An event loop that can sleep without a thread, and counts its tasks. Netty 4.2 only. */
public final class SuspendableEventLoop extends SingleThreadIoEventLoop implements AutoCloseable {

  private final AtomicInteger scheduled = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger executed = new AtomicInteger();

  public SuspendableEventLoop() {
    super(null, new DefaultThreadFactory("suspendable", true), NioIoHandler.newFactory());
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    scheduled.incrementAndGet();
    return super.schedule(
        () -> {
          try {
            task.run();
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

  /** How many tasks were submitted in any way. */
  public int submitted() {
    return scheduled.get() + executed.get();
  }

  /** Waits until all that was scheduled has run. */
  public void awaitQuiet() {
    Patience.await().until(() -> done.get() == scheduled.get());
  }

  /** Runs the task here, waits for it, and rethrows. */
  public <T> T call(Callable<T> task) {
    try {
      return submit(task).get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("on another thread: " + e, e);
    }
  }

  @Override
  public void close() {
    new Deadline().awaitEnd(shutdownGracefully(0, 1, TimeUnit.MINUTES), "a suspendable event loop");
  }
}
