package io.github.mimalloc4j.netty.support;

import io.netty.util.concurrent.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Ten minutes from now, which suffices on emulated processors, too. Then tests stop waiting for the
 * end of something. Else one that has failed and is waiting for a thread that never ends would keep
 * the failure to itself.
 */
public final class Deadline {

  private final long end;

  public Deadline() {
    this(TimeUnit.MINUTES.toNanos(10));
  }

  Deadline(long nanos) {
    end = System.nanoTime() + nanos;
  }

  private long millisLeft() {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
  }

  /** Waits for the thread's end. */
  public void join(Thread thread) {
    try {
      thread.join(millisLeft());
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted in the wait for " + thread, e);
    }
    if (thread.isAlive()) {
      throw notEnded(thread);
    }
  }

  /** Waits for the end of an executor, even if the caller is interrupted, and rethrows. */
  public void awaitEnd(Future<?> future, String what) {
    if (!future.awaitUninterruptibly(millisLeft())) {
      throw new AssertionError("has not ended: " + what);
    }
    future.syncUninterruptibly();
  }

  /** Waits for the end of some work, and rethrows. */
  public void awaitEnd(CompletableFuture<?> future, String what) {
    try {
      future.get(millisLeft(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("has not ended: " + what, e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted in the wait for " + what, e);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }

  private static AssertionError notEnded(Thread thread) {
    Throwable where = new Throwable("where the thread is");
    where.setStackTrace(thread.getStackTrace());
    return new AssertionError("has not ended: " + thread, where);
  }
}
