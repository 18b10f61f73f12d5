package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** An allocation found no memory and is retried after a trim. */
@Name("io.github.mimalloc4j.OutOfMemoryRetry")
@Label("Out-of-Memory Retry")
@Description("An allocation ran out of memory and is retried after a trim")
public final class OutOfMemoryRetryEvent extends AllocatorEvent {

  @Label("Used")
  @Description("Memory of this kind held by the allocator")
  @DataAmount
  public long used;

  private OutOfMemoryRetryEvent() {}

  /** Records the event for the calling thread, if it is enabled. */
  public static void record(Class<?> allocatorType, boolean direct, long used) {
    OutOfMemoryRetryEvent event = new OutOfMemoryRetryEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = direct;
      event.used = used;
      event.commit();
    }
  }
}
