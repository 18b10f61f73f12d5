package io.github.mimalloc4j.netty.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Free segments were given back to the system together. */
@Name("io.github.mimalloc4j.Purge")
@Label("Purge")
@Description("Free segments were returned to the system")
public final class PurgeEvent extends AllocatorEvent {

  @Label("Segments")
  @Description("The number of segments")
  public int segments;

  @Label("Bytes")
  @Description("Their total size")
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
