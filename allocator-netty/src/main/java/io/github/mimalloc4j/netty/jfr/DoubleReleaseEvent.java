package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Of two releases of a reference at the same time one was caught, later, and dropped. */
@Name("io.github.mimalloc4j.DoubleRelease")
@Label("Double Release")
@Description(
    "A buffer was released twice at the same time. Seen later, when its block was collected: the stack is not that of the release")
public final class DoubleReleaseEvent extends AllocatorEvent {

  private DoubleReleaseEvent() {}

  /** Records it for the calling thread. */
  public static void record(Class<?> allocatorType, boolean direct) {
    DoubleReleaseEvent event = new DoubleReleaseEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = direct;
      event.commit();
    }
  }
}
