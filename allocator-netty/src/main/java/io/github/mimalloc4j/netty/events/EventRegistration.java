package io.github.mimalloc4j.netty.events;

import io.netty.util.internal.logging.InternalLogLevel;
import java.security.AccessController;
import java.security.PrivilegedAction;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/**
 * Registers events with Flight Recorder when that is first used. The first registration takes 0.1
 * seconds, which the start of a JVM without a recording need not take.
 *
 * <p>Flight Recorder keeps the listener reachable, and so the library's class loader. Where that
 * may be unloaded, the events are therefore registered at once.
 */
final class EventRegistration implements FlightRecorderListener, PrivilegedAction<Void> {

  private final Iterable<Class<? extends Event>> events;

  EventRegistration(Iterable<Class<? extends Event>> events) {
    this.events = events;
  }

  /**
   * Registers the events now, if Flight Recorder is in use or the library may be unloaded;
   * otherwise when Flight Recorder is first used. A failure then is logged.
   *
   * @throws SecurityException if a security manager does not permit it
   */
  @SuppressWarnings("removal") // before JDK 24, a listener keeps its adder's access control context
  static void register(Iterable<Class<? extends Event>> events) {
    EventRegistration registration = new EventRegistration(events);
    if (isPermanent(EventRegistration.class.getClassLoader())) {
      AccessController.doPrivileged(registration);
    } else {
      registration.register();
    }
  }

  /** Adds the listener, which is called at once if Flight Recorder is in use. */
  @Override
  public @Nullable Void run() {
    FlightRecorder.addListener(this);
    return null;
  }

  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    try {
      register();
    } catch (Throwable e) { // of any kind: the recording that begins can do without
      AllocatorLogger.logFailure(
          InternalLogLevel.WARN, "There are no events of Flight Recorder.", e);
    }
  }

  private void register() {
    for (Class<? extends Event> event : events) {
      FlightRecorder.register(event);
    }
  }

  /** Returns whether the JVM never unloads the classes of a class loader. */
  static boolean isPermanent(@Nullable ClassLoader loader) {
    ClassLoader permanent = ClassLoader.getSystemClassLoader();
    while (permanent != null && permanent != loader) {
      permanent = permanent.getParent();
    }
    return permanent == loader;
  }
}
