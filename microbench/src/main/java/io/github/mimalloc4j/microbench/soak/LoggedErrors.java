package io.github.mimalloc4j.microbench.soak;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Errors and warnings that the allocator or Netty log: a double release that was caught, a leak, a
 * task that threw. A program that does nothing wrong must see none of them.
 */
final class LoggedErrors extends Handler implements AutoCloseable {
  private static final String ENDED_EXECUTOR =
      "io.netty.util.concurrent.DefaultPromise.rejectedExecution";

  private static final String LEFT_TASKS = "An event executor terminated with non-empty task queue";

  /** Kept here, for the logging framework forgets loggers that nobody has. */
  private final List<Logger> loggers =
      List.of(Logger.getLogger("io.netty"), Logger.getLogger("io.github.mimalloc4j"));

  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  /** Begins to listen. To be called before Netty makes its first logger. */
  @SuppressWarnings("this-escape")
  LoggedErrors() {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    setLevel(Level.WARNING);
    loggers.forEach(logger -> logger.addHandler(this));
  }

  /** Checks that nothing was logged. */
  void check() {
    String first = messages.peek();
    if (first != null) {
      throw new SoakFailure(
          "%d errors were logged; the first: %s".formatted(messages.size(), first));
    }
  }

  @Override
  public void publish(LogRecord record) {
    if (isLoggable(record) && !Failures.isPlanted(record) && !isOfEndedExecutor(record)) {
      messages.add(record.getLoggerName() + ": " + record.getMessage());
    }
  }

  /**
   * Whether Netty logs that an executor ended before it could run a task or notify its listener. A
   * thread that requests upkeep may just have found that executor running; it looks again.
   */
  private static boolean isOfEndedExecutor(LogRecord record) {
    return ENDED_EXECUTOR.equals(record.getLoggerName())
        || String.valueOf(record.getMessage()).startsWith(LEFT_TASKS);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    loggers.forEach(logger -> logger.removeHandler(this));
  }
}
