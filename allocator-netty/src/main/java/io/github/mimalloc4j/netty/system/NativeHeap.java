package io.github.mimalloc4j.netty.system;

import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.github.mimalloc4j.netty.events.NativeHeapEvents;
import io.netty.util.internal.logging.InternalLogLevel;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap of the C library. The C library keeps freed memory for later requests, so that the
 * memory stays resident; {@link #trim} gives it back to the system.
 *
 * <p>If the JVM has no command for that, or once the command has failed, trims do nothing, and the
 * reason is logged once, at debug level.
 *
 * <p>Thread-safe. One trim runs at a time; others wait for it.
 */
public final class NativeHeap {

  /** The native heap of this process. */
  public static final NativeHeap PROCESS =
      new NativeHeap(new DiagnosticCommands(), ResidentMemory::bytes, System::nanoTime);

  /** Part of the JDK command's answer if the C library does not support trimming. */
  private static final String NOT_AVAILABLE = "Not available";

  private static final int MOST_CAUSES = 8;

  private final TrimCommand command;
  private final LongSupplier residentBytes;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private boolean prepared;

  /** Why trims are not possible; null while nothing is known to prevent them. */
  private volatile @Nullable String unavailable;

  private final AtomicLong trims = new AtomicLong();
  private final AtomicLong returnedBytes = new AtomicLong();

  /**
   * Creates an instance. All but {@link #PROCESS} are for tests.
   *
   * @param command trims the heap
   * @param residentBytes returns the resident bytes, or {@link ProcessStatistics#UNKNOWN}
   * @param nanoClock measures how long a trim takes
   */
  NativeHeap(TrimCommand command, LongSupplier residentBytes, LongSupplier nanoClock) {
    this.command = command;
    this.residentBytes = residentBytes;
    this.nanoClock = nanoClock;
  }

  /** Returns whether a trim has an effect, as far as known. */
  public boolean isAvailable() {
    return unavailable == null;
  }

  /** Returns why {@linkplain #isAvailable() trims are not available}; null if they are. */
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
   * Gives all free memory back to the system. Meanwhile, threads that obtain or free native memory
   * may wait.
   *
   * @return the duration in nanoseconds; 0 if nothing was done
   */
  public long trim() {
    Throwable failure;
    lock.lock();
    try {
      if (!isAvailable()) {
        return 0;
      }
      prepare();
      return runCommand();
    } catch (Throwable e) {
      if (isTransient(e)) {
        return 0; // no Java heap or stack at this moment: the next trim may find some
      }
      failure = e;
      unavailable = reason(e);
    } finally {
      lock.unlock();
    }
    AllocatorLogger.logFailure(
        InternalLogLevel.DEBUG, "The C library may keep freed memory: " + unavailable, failure);
    return 0;
  }

  private void prepare() throws Exception {
    if (!prepared) {
      command.prepare();
      prepared = true;
    }
  }

  private long runCommand() throws Exception {
    Object event = NativeHeapEvents.trimBegins();
    long before = residentBytes.getAsLong();
    long start = nanoClock.getAsLong();
    String answer = command.run();
    long nanos = Math.max(1, nanoClock.getAsLong() - start);
    if (answer.contains(NOT_AVAILABLE)) {
      throw new UnsupportedOperationException("the C library does not support trimming");
    }
    long after = residentBytes.getAsLong(); // reading may fail, for example without a file handle
    long returned = after == ProcessStatistics.UNKNOWN ? 0 : Math.max(0, before - after);
    trims.incrementAndGet();
    returnedBytes.addAndGet(returned);
    NativeHeapEvents.trimmed(event, returned);
    return nanos;
  }

  /**
   * Returns whether the next trim may succeed. Searches the causes, because management beans wrap
   * errors.
   */
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

  /** Returns the reason as text. A missing class usually belongs to the module java.management. */
  private static String reason(Throwable failure) {
    return failure instanceof NoClassDefFoundError
        ? "there is no module java.management"
        : failure.toString();
  }
}
