package io.github.mimalloc4j.netty.events;

import io.github.mimalloc4j.netty.jfr.NativeHeapTrimEvent;
import org.jspecify.annotations.Nullable;

/**
 * Records trims of the native heap in Flight Recorder. Without Flight Recorder, or with {@code
 * -Dio.netty.jfr.enabled=false}, the event class is not loaded. Failures of an event do not reach
 * the caller.
 *
 * <p>Thread-safe. {@link AllocatorEvents} initializes the event class.
 */
public final class NativeHeapEvents {

  private NativeHeapEvents() {}

  /** Begins an event. Returns the argument for {@link #trimmed}; null if nothing is recorded. */
  public static @Nullable Object trimBegins() {
    try {
      return AllocatorEvents.JFR ? NativeHeapTrimEvent.begun() : null;
    } catch (Throwable e) {
      return null; // no Java heap is left for it
    }
  }

  /** Ends and records an event. */
  public static void trimmed(@Nullable Object begun, long returnedBytes) {
    if (begun != null) {
      try {
        ((NativeHeapTrimEvent) begun).end(returnedBytes);
      } catch (Throwable e) {
        // as above
      }
    }
  }
}
