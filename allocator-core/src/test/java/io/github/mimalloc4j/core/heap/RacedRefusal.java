package io.github.mimalloc4j.core.heap;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Upkeep that was refused once, and is to be refused once more: of two requests that meet, one. */
public final class RacedRefusal {

  private final AtomicInteger refusals = new AtomicInteger(2);
  private final Upkeep upkeep = new Upkeep(this::accept, 1, () -> {}, () -> {}, this::tell);
  private volatile boolean told;

  public RacedRefusal() {
    upkeep.request();
  }

  private void accept(Runnable run, long delay) {
    if (refusals.getAndDecrement() > 0) {
      throw new RejectedExecutionException("the queue is full");
    }
  }

  private void tell() {
    told = true;
  }

  /** What is done by who was told of the first refusal. */
  public void askAgain() {
    told = false;
    upkeep.requestRefused();
  }

  /** What another thread does. */
  public void ask() {
    upkeep.request();
  }

  /** Whether a run is to come. */
  public boolean isRequested() {
    return upkeep.isRequested();
  }

  /** Whether somebody was told of the second refusal, and will ask again. */
  public boolean isTold() {
    return told && upkeep.isRefused();
  }
}
