package io.github.mimalloc4j.netty.figures;

import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Logs an allocator's figures when it runs out of memory, at most once an hour: a program that runs
 * out of memory often does so again and again.
 *
 * <p>Throws nothing. Thread-safe.
 */
public final class OutOfMemoryDump {

  private static final InternalLogger logger = AllocatorLogger.get();

  private static final long PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final int MOST_CHARACTERS = 20_000;

  /**
   * The minimum of free Java heap. With less, classes that create the page of figures might fail to
   * load or link, and some of them would then never work again.
   */
  static final long JAVA_HEAP_BYTES = 4 << 20;

  private final Supplier<String> page;
  private final LongSupplier nanoTime;
  private final LongSupplier javaHeapLeft;

  /** When the next page may be logged, in {@link #nanoTime}. */
  private final AtomicLong due;

  /** Creates an instance that logs the pages that the supplier returns. */
  public OutOfMemoryDump(Supplier<String> page) {
    this(page, System::nanoTime, OutOfMemoryDump::javaHeapLeft);
  }

  OutOfMemoryDump(Supplier<String> page, LongSupplier nanoTime, LongSupplier javaHeapLeft) {
    this.page = page;
    this.nanoTime = nanoTime;
    this.javaHeapLeft = javaHeapLeft;
    due = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * Logs the figures, unless they were logged during the last hour or there is too little Java
   * heap. A logger that allocates buffers may fail in turn; that failure is not logged.
   *
   * @param failure the failed allocation as a sentence
   */
  public void log(String failure) {
    try {
      if (javaHeapLeft.getAsLong() >= JAVA_HEAP_BYTES && isDue()) {
        String figures = page();
        logger.error(
            "Out of memory: {}. The figures follow; they are logged at most once an hour.{}{}",
            failure,
            System.lineSeparator(),
            figures.length() <= MOST_CHARACTERS
                ? figures
                : figures.substring(0, MOST_CHARACTERS) + "...");
      }
    } catch (Throwable e) { // thrown by an appender, or no Java heap: the allocation fails anyway
    }
  }

  private boolean isDue() {
    long now = nanoTime.getAsLong();
    long due = this.due.get();
    return now - due >= 0 && this.due.compareAndSet(due, now + PAUSE_NANOS);
  }

  private String page() {
    try {
      return page.get();
    } catch (Throwable e) { // for example no Java heap: the next failure tries again
      due.set(nanoTime.getAsLong());
      throw e;
    }
  }

  private static long javaHeapLeft() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }
}
