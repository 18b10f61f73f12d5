package io.github.mimalloc4j.netty.events;

import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.SystemPropertyUtil;
import jdk.jfr.FlightRecorder;

/**
 * Whether events are recorded: Netty's setting, which is also applied to Netty versions without it.
 */
final class FlightRecorderSwitch {

  private FlightRecorderSwitch() {}

  static boolean isOn() {
    try {
      return PlatformDependent.isJfrEnabled();
    } catch (NoSuchMethodError e) { // Netty 4.1 has no events
      return isOnByProperty();
    }
  }

  private static boolean isOnByProperty() {
    try {
      return SystemPropertyUtil.getBoolean("io.netty.jfr.enabled", true)
          && FlightRecorder.isAvailable();
    } catch (Throwable e) { // without the module jdk.jfr, and in some native images
      return false;
    }
  }
}
