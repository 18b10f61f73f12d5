package io.github.mimalloc4j.core.heap;

import java.util.concurrent.atomic.AtomicBoolean;

/** The protocol of an {@link Upkeep}: right, until a subclass plants a bug in one of the steps. */
public class SimpleUpkeep implements UpkeepView {

  final AtomicBoolean scheduled = new AtomicBoolean();
  final Runnable task;

  public SimpleUpkeep(Runnable task) {
    this.task = task;
  }

  @Override
  public void request() {
    scheduled.set(true);
  }

  @Override
  public boolean isRequested() {
    return scheduled.get();
  }

  @Override
  public void run() {
    scheduled.set(false);
    task.run();
  }
}
