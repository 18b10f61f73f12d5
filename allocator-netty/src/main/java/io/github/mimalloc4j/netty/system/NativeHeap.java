package io.github.mimalloc4j.netty.system;

import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.github.mimalloc4j.netty.events.NativeHeapEvents;
import io.netty.util.internal.logging.InternalLogger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap of the C library. It keeps memory that was freed for the next request, and so it stays
 * resident; {@link #trim} has it given back to the system.
 *
 * <p>Where the JVM has no command for that, or after the command has failed, nothing is done any
 * more, and the log says so once, at debug level.
 *
 * <p>Thread-safe. One trim runs at a time, and others wait for it.
 */
public final class NativeHeap {

  /** That of this process. */
  public static final NativeHeap PROCESS =
      new NativeHeap(new JdkTrimCommand(), ResidentMemory::bytes, System::nanoTime);

  private static final InternalLogger logger = AllocatorLogger.get();

  /** What the JDK's command says where the C library is another one. */
  private static final String NOT_AVAILABLE = "Not available";

  private final TrimCommand command;
  private final LongSupplier residentBytes;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null as long as nothing speaks against it. */
  private volatile @Nullable String unavailable;

  private final AtomicLong trims = new AtomicLong();
  private final AtomicLong returnedBytes = new AtomicLong();

  /** For tests. */
  NativeHeap(TrimCommand command, LongSupplier residentBytes, LongSupplier nanoClock) {
    this.command = command;
    this.residentBytes = residentBytes;
    this.nanoClock = nanoClock;
  }

  /** Whether a trim does anything, as far as it is known. */
  public boolean isAvailable() {
    return unavailable == null;
  }

  /** Why {@linkplain #isAvailable() nothing is done}, null if that is not so. */
  public @Nullable String unavailable() {
    return unavailable;
  }

  /** How often it was trimmed. */
  public long trims() {
    return trims.get();
  }

  /**
   * The bytes that were resident before trims and not after them, added up. What other threads did
   * meanwhile is in it; 0 where the system does not tell what is resident.
   */
  public long returnedBytes() {
    return returnedBytes.get();
  }

  /**
   * Gives all memory that is free back to the system.
   *
   * @return the nanoseconds that it took, in which threads that obtain or free native memory may
   *     have waited; 0 if nothing was done
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
    } catch (OutOfMemoryError e) {
      return 0; // there is no Java heap for it just now: the next trim may find some
    } catch (Throwable e) {
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

  /** In words; a class that is missing is most often one of the module of JMX. */
  private static String reason(Throwable failure) {
    return failure instanceof NoClassDefFoundError
        ? "there is no module java.management"
        : failure.toString();
  }
}
