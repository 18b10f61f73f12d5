package io.github.mimalloc4j.netty.events;

import io.netty.util.internal.SystemPropertyUtil;
import jdk.jfr.FlightRecorder;

/**
 * Whether events are recorded: by Netty's setting, also with versions of Netty that have no events.
 */
final class FlightRecorderSwitch {

  private FlightRecorderSwitch() {}

  static boolean isOn() {
    try {
      return SystemPropertyUtil.getBoolean("io.netty.jfr.enabled", true)
          && FlightRecorder.isAvailable();
    } catch (Throwable e) { // without the module jdk.jfr, and in some native images
      return false;
    }
  }
}
