package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** One of two concurrent releases of the same reference was dropped. It is detected later. */
@Name("io.github.mimalloc4j.DoubleRelease")
@Label("Double Release")
@Description(
    "Buffers were released twice concurrently. This is detected later, on another thread, so the stack trace is not that of a release")
public final class DoubleReleaseEvent extends AllocatorEvent {

  @Label("Releases")
  @Description("The number of double releases found since the last event")
  public long releases;

  private DoubleReleaseEvent() {}

  /** Records the event for the calling thread, if it is enabled. */
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
