package io.github.mimalloc4j.netty.threads;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** An executor of upkeep whose queue another thread has locked. */
public final class BusyUpkeep {

  private final ScheduledThreadPoolExecutor executor =
      UpkeepThread.newExecutor(
          task -> {
            Thread thread = new Thread(task, "busy");
            thread.setDaemon(true);
            return thread;
          });

  private final CountDownLatch locked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Returns when the lock is held, until {@link #end}. */
  public BusyUpkeep() throws InterruptedException {
    UpkeepThread.execute(executor, () -> await(ended), 0);
    UpkeepThread.execute(executor, () -> {}, 0); // due, and not taken by the busy thread
    Thread thread = new Thread(() -> executor.getQueue().drainTo(new Blocking()), "draining");
    thread.setDaemon(true);
    thread.start();
    locked.await();
  }

  /** Waits for the lock. */
  public void execute(Runnable task) {
    UpkeepThread.execute(executor, task, 0);
  }

  /** Frees the lock. The executor goes on: its threads do not keep a JVM from ending. */
  public void end() {
    ended.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The queue adds to it under its lock. */
  private final class Blocking extends AbstractCollection<Runnable> {

    @Override
    public boolean add(Runnable task) {
      locked.countDown();
      BusyUpkeep.await(ended);
      return true;
    }

    @Override
    public Iterator<Runnable> iterator() {
      return List.<Runnable>of().iterator();
    }

    @Override
    public int size() {
      return 0;
    }
  }
}
