package io.github.mimalloc4j.netty.jfr;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import java.util.List;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** The estimated buffers in use that one place allocated. Recorded at regular intervals. */
@Name("io.github.mimalloc4j.LiveBuffers")
@Label("Live Buffers")
@Description("Buffers in use, grouped by the place that allocated them and estimated from samples")
@Period("10 s")
@StackTrace(false)
public final class LiveBuffersEvent extends AllocatorEvent {

  @Label("Place")
  @Description("The class, method and line that allocated the buffers")
  public @Nullable String place;

  @Label("Bytes")
  @Description("The estimated bytes of the buffers, each counted with its whole block")
  @DataAmount
  public long bytes;

  @Label("Buffers")
  @Description("The estimated number of buffers")
  public long buffers;

  @Label("Samples")
  @Description("The number of samples that the estimates come from")
  public int samples;

  @Label("Oldest")
  @Description("The age of the oldest sample")
  @Timespan(Timespan.MILLISECONDS)
  public long oldest;

  @Label("Oldest Thread")
  @Description("The name of the thread that allocated the oldest sample")
  public @Nullable String oldestThread;

  @Label("Oldest Trace")
  @Description("The stack trace of the allocation of the oldest sample, one frame per line")
  public @Nullable String oldestTrace;

  private LiveBuffersEvent() {}

  /** Records a place, if the event is enabled. */
  public static void record(Class<?> allocatorType, LiveProfile.Site site) {
    LiveBuffersEvent event = new LiveBuffersEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = site.direct();
      event.place = site.place();
      event.bytes = site.bytes();
      event.buffers = site.buffers();
      event.samples = site.samples();
      event.oldest = site.oldestMillis();
      event.oldestThread = site.oldestThread();
      event.oldestTrace = lines(site.oldestTrace());
      event.commit();
    }
  }

  private static String lines(List<StackTraceElement> trace) {
    StringBuilder lines = new StringBuilder();
    for (StackTraceElement frame : trace) {
      lines.append(lines.length() == 0 ? "" : "\n").append(LiveProfile.Site.text(frame));
    }
    return lines.toString();
  }
}
