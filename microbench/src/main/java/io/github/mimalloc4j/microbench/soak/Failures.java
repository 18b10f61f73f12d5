package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.netty.AllocatorAtRest;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.OutOfMemoryEvent;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * A bad day for an allocator: memory is short, sources and the making of blocks fail at random and
 * with whatever there is, the out-of-memory listener and an appender of the log allocate buffers
 * and throw, and Flight Recorder records all of it.
 *
 * <p>Thread-safe. What it throws, threads {@linkplain #isExpected expect}.
 */
final class Failures extends Handler implements AutoCloseable {
  private static final String PLANTED = "planted by the soak";

  /** The beginning of what the allocator logs when it finds no memory. */
  private static final String NO_MEMORY = "Out of memory: ";

  /** So rarely that most allocations succeed, and so often that each place fails in any second. */
  private static final int MEMORY_FAILS_IN = 4;

  private static final int BLOCK_FAILS_IN = 500;
  private static final int LISTENER_FAILS_IN = 3;
  private static final int MOST_BUFFERS = 8;
  private static final int MOST_BYTES = 20_000;

  private static final List<String> EVENTS =
      List.of(
          "io.netty.AllocateBuffer",
          "io.netty.FreeBuffer",
          "io.netty.ReallocateBuffer",
          "io.netty.AllocateChunk",
          "io.netty.FreeChunk");

  /** Whether the thread is in a listener, whose own failures would be told to it again. */
  private static final ThreadLocal<Boolean> LISTENING = ThreadLocal.withInitial(() -> false);

  private final Logger logger = Logger.getLogger(MiMallocByteBufAllocator.class.getName());
  private final Recording recording = new Recording();
  private final AtomicLong thrown = new AtomicLong();
  private final AtomicLong told = new AtomicLong();
  private final AtomicLong logged = new AtomicLong();
  private final AtomicLong borne = new AtomicLong();
  private final MiMallocByteBufAllocator allocator;
  private volatile @Nullable LoggedErrors errors;

  /** An allocator of so many bytes of each kind, on which the bad day has begun. */
  @SuppressWarnings("this-escape") // nothing is allocated yet
  Failures(long maxBytes) {
    allocator = AllocatorAtRest.of(FailingHeaps.factory(this), maxBytes, this::outOfMemory);
    setLevel(Level.WARNING);
    logger.addHandler(this);
    logger.setUseParentHandlers(false); // the console would be full of it
    EVENTS.forEach(recording::enable);
    recording.setToDisk(false);
    recording.start();
  }

  MiMallocByteBufAllocator allocator() {
    return allocator;
  }

  /** Whether an operation may fail with that, and must then have changed nothing. */
  static boolean isExpected(Throwable failure) {
    return failure instanceof OutOfMemoryError || PLANTED.equals(failure.getMessage());
  }

  /** Whether a logged message is of what was planted here. */
  static boolean isPlanted(LogRecord entry) {
    Throwable cause = entry.getThrown();
    return cause != null && PLANTED.equals(cause.getMessage());
  }

  /** Whether the allocator may log that: a failure as above, or that memory has run out. */
  private static boolean isExpected(LogRecord entry) {
    Throwable cause = entry.getThrown();
    return cause != null ? isExpected(cause) : entry.getMessage().startsWith(NO_MEMORY);
  }

  /** Tells of what else the allocator logs, which goes to this handler alone. */
  void tell(LoggedErrors of) {
    errors = of;
  }

  /** Counts an operation that failed as it may. */
  void bear() {
    borne.incrementAndGet();
  }

  void beforeMemory() {
    throwOneIn(MEMORY_FAILS_IN);
  }

  void beforeBlock() {
    throwOneIn(BLOCK_FAILS_IN);
  }

  private void outOfMemory(OutOfMemoryEvent event) {
    told.incrementAndGet();
    allocateAndThrow();
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      logged.incrementAndGet();
      LoggedErrors told = errors;
      if (told != null && !isExpected(entry)) {
        told.publish(entry);
      }
      allocateAndThrow();
    }
  }

  /** As a listener may, with what it finds. */
  private void allocateAndThrow() {
    if (LISTENING.get()) {
      return;
    }
    LISTENING.set(true);
    List<ByteBuf> buffers = new ArrayList<>();
    try {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      for (int left = random.nextInt(MOST_BUFFERS); left > 0; left--) {
        int bytes = random.nextInt(MOST_BYTES);
        buffers.add(
            random.nextBoolean() ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes));
      }
    } catch (Throwable e) {
      if (!isExpected(e)) {
        throw e;
      }
    } finally {
      buffers.forEach(ByteBuf::release);
      LISTENING.set(false);
    }
    throwOneIn(LISTENER_FAILS_IN);
  }

  private void throwOneIn(int calls) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (random.nextInt(calls) != 0) {
      return;
    }
    thrown.incrementAndGet();
    switch (random.nextInt(5)) {
      case 0 -> throw new OutOfMemoryError(PLANTED);
      case 1 -> throw new StackOverflowError(PLANTED);
      case 2 -> throw new IllegalStateException(PLANTED, new OutOfMemoryError(PLANTED));
      case 3 -> throw new AssertionError(PLANTED);
      default -> throw new UnsupportedOperationException(PLANTED);
    }
  }

  /** What happened, for the report. */
  String summary() {
    return "%,d failures were thrown; %,d allocations and growths failed; the out-of-memory"
            .formatted(thrown.get(), borne.get())
        + " listener was called %,d times, %,d entries were logged"
            .formatted(told.get(), logged.get());
  }

  /** Whether failures were thrown, borne, told and logged: each at least once. */
  boolean hadEffect() {
    return thrown.get() > 0 && borne.get() > 0 && told.get() > 0 && logged.get() > 0;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    recording.close();
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
