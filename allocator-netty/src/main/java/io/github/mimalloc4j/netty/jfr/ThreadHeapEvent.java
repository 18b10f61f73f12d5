package io.github.mimalloc4j.netty.jfr;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The memory of one thread heap. Recorded at regular intervals. */
@Name("io.github.mimalloc4j.ThreadHeap")
@Label("Thread Heap")
@Description("The memory of a thread heap, including a large page that it keeps, but no other")
@Period("10 s")
@StackTrace(false)
public final class ThreadHeapEvent extends AllocatorEvent {

  @Label("State")
  @Description("owned, shared or abandoned")
  public @Nullable String state;

  @Label("Owner")
  @Description("The name of the thread that owns it; empty if none does")
  public @Nullable String owner;

  @Label("Page Bytes")
  @Description("The bytes of its pages")
  @DataAmount
  public long pageBytes;

  @Label("Live Bytes")
  @Description("The part of the page bytes that is in blocks in use")
  @DataAmount
  public long liveBytes;

  private ThreadHeapEvent() {}

  /** Records a thread heap, if the event is enabled. */
  public static void record(
      Class<?> allocatorType, boolean direct, MemoryStatistics.ThreadHeap heap) {
    ThreadHeapEvent event = new ThreadHeapEvent();
    if (event.isEnabled()) {
      event.allocatorType = allocatorType;
      event.direct = direct;
      event.state = heap.state().toString();
      event.owner = heap.thread();
      event.pageBytes = heap.pageBytes();
      event.liveBytes = heap.liveBytes();
      event.commit();
    }
  }
}
