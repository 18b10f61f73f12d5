package io.github.mimalloc4j.netty.events;

import io.github.mimalloc4j.netty.jfr.NativeHeapTrimEvent;
import org.jspecify.annotations.Nullable;

/**
 * Tells Flight Recorder of trims of the native heap. Where there is none, or {@code
 * -Dio.netty.jfr.enabled=false}, the event's class is not loaded. No failure of an event reaches
 * the caller.
 *
 * <p>Thread-safe. {@link AllocatorEvents} initializes the event's class.
 */
public final class NativeHeapEvents {

  private static final boolean JFR = FlightRecorderSwitch.isOn();

  private NativeHeapEvents() {}

  /** For a trim that begins: what is to be handed to {@link #trimmed}. */
  public static @Nullable Object trimBegins() {
    try {
      return JFR ? NativeHeapTrimEvent.begun() : null;
    } catch (Throwable e) {
      return null; // there is no Java heap for it
    }
  }

  /** For a trim that has ended. */
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
