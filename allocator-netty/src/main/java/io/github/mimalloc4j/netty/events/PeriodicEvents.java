package io.github.mimalloc4j.netty.events;

import static io.netty.util.internal.logging.InternalLogLevel.WARN;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.jfr.LiveBuffersEvent;
import io.github.mimalloc4j.netty.jfr.ThreadHeapEvent;
import java.util.List;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * Records at regular intervals who holds an allocator's memory, while Flight Recorder records.
 * Flight Recorder calls two hooks. They keep the allocator reachable until they are removed, so
 * only an allocator that samples its buffers has them.
 *
 * <p>Thread-safe. {@link AllocatorEvents} initializes the event classes.
 */
public final class PeriodicEvents {

  /** The maximum number of sites recorded at a time: those with the most bytes. */
  private static final int MOST_SITES = 50;

  private final Class<?> allocatorType;
  private final Supplier<MemoryStatistics> direct;
  private final Supplier<MemoryStatistics> heap;
  private final Supplier<LiveProfile> profile;
  private final Runnable heapHook = this::recordThreadHeaps;
  private final Runnable siteHook = this::recordSites;

  private PeriodicEvents(
      Class<?> allocatorType,
      Supplier<MemoryStatistics> direct,
      Supplier<MemoryStatistics> heap,
      Supplier<LiveProfile> profile) {
    this.allocatorType = allocatorType;
    this.direct = direct;
    this.heap = heap;
    this.profile = profile;
  }

  /**
   * Begins to record the thread heaps and the profile of an allocator. Failures are logged.
   *
   * @return an action that ends the recording; running it again has no effect
   */
  public static Runnable begin(
      Class<?> allocatorType,
      Supplier<MemoryStatistics> direct,
      Supplier<MemoryStatistics> heap,
      Supplier<LiveProfile> profile) {
    PeriodicEvents events = new PeriodicEvents(allocatorType, direct, heap, profile);
    if (AllocatorEvents.JFR) {
      events.addHooks();
    }
    return events::removeHooks;
  }

  private void addHooks() {
    try {
      FlightRecorder.register(ThreadHeapEvent.class); // needed for a hook; has no effect if it is
      FlightRecorder.register(LiveBuffersEvent.class);
      FlightRecorder.addPeriodicEvent(ThreadHeapEvent.class, heapHook);
      try {
        FlightRecorder.addPeriodicEvent(LiveBuffersEvent.class, siteHook);
      } catch (Throwable e) {
        FlightRecorder.removePeriodicEvent(heapHook);
        throw e;
      }
    } catch (Throwable e) { // an allocator works without its events
      AllocatorLogger.logFailure(
          WARN, "Flight Recorder will not record who holds the allocator's memory.", e);
    }
  }

  private void removeHooks() {
    if (AllocatorEvents.JFR) {
      try {
        FlightRecorder.removePeriodicEvent(heapHook);
        FlightRecorder.removePeriodicEvent(siteHook);
      } catch (RuntimeException | LinkageError | InternalError e) {
        AllocatorLogger.logFailure(WARN, "Flight Recorder keeps the allocator reachable.", e);
      }
    }
  }

  private void recordThreadHeaps() {
    recordThreadHeaps(true, direct.get());
    recordThreadHeaps(false, heap.get());
  }

  private void recordThreadHeaps(boolean direct, MemoryStatistics memory) {
    for (MemoryStatistics.ThreadHeap heap : memory.byThreadHeap()) {
      ThreadHeapEvent.record(allocatorType, direct, heap);
    }
  }

  private void recordSites() {
    List<LiveProfile.Site> sites = profile.get().sites();
    for (LiveProfile.Site site : sites.subList(0, Math.min(MOST_SITES, sites.size()))) {
      LiveBuffersEvent.record(allocatorType, site);
    }
  }
}
