package io.github.mimalloc4j.netty.system;

import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.github.mimalloc4j.netty.events.NativeHeapEvents;
import io.netty.util.internal.logging.InternalLogger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap of the C library. It keeps freed memory for later requests, so that the memory stays
 * resident; {@link #trim} has it given back to the system.
 *
 * <p>If the JVM has no command for that, or once the command has failed, trims do nothing, and the
 * reason is logged once, at debug level.
 *
 * <p>Thread-safe. One trim runs at a time; others wait for it.
 */
public final class NativeHeap {

  /** The native heap of this process. */
  public static final NativeHeap PROCESS =
      new NativeHeap(new JdkTrimCommand(), ResidentMemory::bytes, System::nanoTime);

  private static final InternalLogger logger = AllocatorLogger.get();

  /** Part of the answer of the JDK's command if the C library does not support it. */
  private static final String NOT_AVAILABLE = "Not available";

  private static final int MOST_CAUSES = 8;

  private final TrimCommand command;
  private final LongSupplier residentBytes;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Why trims are not possible; null while nothing is known to prevent them. */
  private volatile @Nullable String unavailable;

  private final AtomicLong trims = new AtomicLong();
  private final AtomicLong returnedBytes = new AtomicLong();

  /** For tests. */
  NativeHeap(TrimCommand command, LongSupplier residentBytes, LongSupplier nanoClock) {
    this.command = command;
    this.residentBytes = residentBytes;
    this.nanoClock = nanoClock;
  }

  /** Whether a trim has an effect, as far as known. */
  public boolean isAvailable() {
    return unavailable == null;
  }

  /** Why {@linkplain #isAvailable() trims are not available}; null if they are. */
  public @Nullable String unavailable() {
    return unavailable;
  }

  /** Returns the number of trims. */
  public long trims() {
    return trims.get();
  }

  /**
   * Returns the bytes that were resident before trims and not after them, in total. Includes the
   * effect of other threads during trims. 0 if the system does not report resident memory.
   */
  public long returnedBytes() {
    return returnedBytes.get();
  }

  /**
   * Gives all free memory back to the system.
   *
   * @return the nanoseconds that it took, during which threads that obtain or free native memory
   *     may have waited; 0 if nothing was done
   */
  public long trim() {
    Throwable failure;
    lock.lock();
    try {
      if (!isAvailable()) {
        return 0;
      }
      command.prepare();
      return runCommand();
    } catch (Throwable e) {
      if (isTransient(e)) {
        return 0; // no Java heap or stack for it just now: the next trim may find some
      }
      failure = e;
      unavailable = reason(e);
    } finally {
      lock.unlock();
    }
    logger.debug("What is freed may stay with the C library: {}", unavailable, failure);
    return 0;
  }

  private long runCommand() throws Exception {
    Object event = NativeHeapEvents.trimBegins();
    long before = residentBytes.getAsLong();
    long start = nanoClock.getAsLong();
    String answer = command.run();
    long nanos = Math.max(1, nanoClock.getAsLong() - start);
    if (answer.contains(NOT_AVAILABLE)) {
      throw new UnsupportedOperationException("the C library cannot be told to");
    }
    long returned = Math.max(0, before - residentBytes.getAsLong());
    trims.incrementAndGet();
    returnedBytes.addAndGet(returned);
    NativeHeapEvents.trimmed(event, returned);
    return nanos;
  }

  /** Management beans wrap errors. */
  private static boolean isTransient(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      if (cause instanceof OutOfMemoryError || cause instanceof StackOverflowError) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** A missing class is most often one of the module java.management. */
  private static String reason(Throwable failure) {
    return failure instanceof NoClassDefFoundError
        ? "there is no module java.management"
        : failure.toString();
  }
}
