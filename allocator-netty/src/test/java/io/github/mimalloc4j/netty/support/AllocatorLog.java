package io.github.mimalloc4j.netty.support;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the allocator logs from now on, which is kept off the console. */
public class AllocatorLog extends Handler implements AutoCloseable {

  private final Logger logger;
  private final boolean usedParentHandlers;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  public AllocatorLog() {
    this(MiMallocByteBufAllocator.class.getName());
  }

  /** What another logger logs. */
  public AllocatorLog(String name) {
    logger = Logger.getLogger(name);
    usedParentHandlers = logger.getUseParentHandlers();
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  public List<LogRecord> records() {
    return records;
  }

  @Override
  public void publish(LogRecord entry) {
    records.add(entry);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(usedParentHandlers);
  }
}
