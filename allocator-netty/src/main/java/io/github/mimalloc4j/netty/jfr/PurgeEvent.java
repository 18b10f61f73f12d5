package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Free segments were given back to the system together. */
@Name("io.github.mimalloc4j.Purge")
@Label("Purge")
@Description("Free segments went back to the system together")
public final class PurgeEvent extends AllocatorEvent {

  @Label("Segments")
  @Description("How many went back")
  public int segments;

  @Label("Bytes")
  @Description("Their size together")
  @DataAmount
  public long bytes;

  private PurgeEvent() {}

  /** Records the event for the calling thread, if it is enabled. */
  public static void record(Class<?> allocatorType, boolean direct, int segments, long bytes) {
    PurgeEvent event = new PurgeEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = direct;
      event.segments = segments;
      event.bytes = bytes;
      event.commit();
    }
  }
}
