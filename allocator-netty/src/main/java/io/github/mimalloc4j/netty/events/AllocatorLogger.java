package io.github.mimalloc4j.netty.events;

import io.netty.util.internal.logging.InternalLogLevel;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;

/** The library's logger, which has the name of its main public class. */
public final class AllocatorLogger {

  private static final String NAME = "io.github.mimalloc4j.netty.MiMallocByteBufAllocator";

  private AllocatorLogger() {}

  public static InternalLogger get() {
    return InternalLoggerFactory.getInstance(NAME);
  }

  /**
   * Logs a message where the caller must not fail. Ignores what a logger throws, as {@link
   * #logFailure} does.
   */
  public static void log(InternalLogLevel level, String format, Object... arguments) {
    try {
      get().log(level, format, arguments);
    } catch (Exception | LinkageError ofTheLogger) { // there is nowhere to report it
    }
  }

  /**
   * Logs a failure after which the caller continues. Ignores what a logger throws, such as a
   * missing class of it.
   */
  public static void logFailure(InternalLogLevel level, String message, Throwable failure) {
    try {
      get().log(level, message, failure);
    } catch (Exception | LinkageError ofTheLogger) { // there is nowhere to report it
    }
  }
}
