package io.github.mimalloc4j.netty.support;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Prints what the allocator logs, in a JVM of its own. Needs no library. */
public final class PrintedLog extends Handler {

  /** A field, for the logging framework forgets loggers and their handlers. */
  private static final Logger LOGGER = Logger.getLogger(MiMallocByteBufAllocator.class.getName());

  private PrintedLog() {}

  /** Begins with it: a line for each record, the level first. */
  public static void begin() {
    LOGGER.setLevel(Level.ALL);
    LOGGER.addHandler(new PrintedLog());
    LOGGER.setUseParentHandlers(false);
  }

  @Override
  public void publish(LogRecord entry) {
    System.out.println(entry.getLevel().getName() + ' ' + entry.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
