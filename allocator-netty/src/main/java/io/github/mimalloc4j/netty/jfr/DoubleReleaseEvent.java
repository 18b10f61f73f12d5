package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Of two releases of a reference at the same time one was caught, later, and dropped. */
@Name("io.github.mimalloc4j.DoubleRelease")
@Label("Double Release")
@Description(
    "Buffers were released twice at the same time. Seen later, when a block was collected, and told by another thread: the stack is not that of a release")
public final class DoubleReleaseEvent extends AllocatorEvent {

  @Label("Releases")
  @Description("How many were caught since the last event")
  public long releases;

  private DoubleReleaseEvent() {}

  /** Records it for the calling thread. */
  public static void record(Class<?> allocatorType, boolean direct, long releases) {
    DoubleReleaseEvent event = new DoubleReleaseEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = direct;
      event.releases = releases;
      event.commit();
    }
  }
}
