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
   * Logs a failure after which the caller continues. Ignores exceptions that an appender throws.
   */
  public static void logFailure(InternalLogLevel level, String message, Throwable failure) {
    try {
      get().log(level, message, failure);
    } catch (RuntimeException ofTheAppender) { // there is nowhere to report it
    }
  }
}
