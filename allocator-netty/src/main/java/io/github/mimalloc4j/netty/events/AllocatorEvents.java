package io.github.mimalloc4j.netty.events;

import io.github.mimalloc4j.core.AllocatorListener;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.netty.jfr.AllocateBufferEvent;
import io.github.mimalloc4j.netty.jfr.AllocateChunkEvent;
import io.github.mimalloc4j.netty.jfr.DoubleReleaseEvent;
import io.github.mimalloc4j.netty.jfr.FreeBufferEvent;
import io.github.mimalloc4j.netty.jfr.FreeChunkEvent;
import io.github.mimalloc4j.netty.jfr.NativeHeapTrimEvent;
import io.github.mimalloc4j.netty.jfr.OutOfMemoryRetryEvent;
import io.github.mimalloc4j.netty.jfr.PurgeEvent;
import io.github.mimalloc4j.netty.jfr.ReallocateBufferEvent;
import io.github.mimalloc4j.netty.jfr.ThreadHeapAdoptionEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.logging.InternalLogger;
import java.lang.invoke.MethodHandles;

/**
 * Tells Flight Recorder, and the log what has to be heard without it, of what happens to one kind
 * of memory.
 *
 * <p>Every allocation asks {@link #allocationsAreRecorded}, every release {@link
 * #releasesAreRecorded}. That costs nothing until a recording has the event: Flight Recorder only
 * then replaces the event's {@code isEnabled()}, which returned a constant, and the JVM drops the
 * code that was compiled with it. A switch of our own would cost a load and a branch, or need to be
 * told of recordings by a listener, which would keep the class loader of the library for ever.
 *
 * <p>Thread-safe. Where there is no Flight Recorder, or {@code -Dio.netty.jfr.enabled=false}, no
 * class of an event is loaded.
 */
public final class AllocatorEvents implements AllocatorListener {

  private static final InternalLogger logger = AllocatorLogger.get();

  private static final boolean JFR = FlightRecorderSwitch.isOn();

  static {
    if (JFR) {
      initializeEvents();
    }
  }

  private final ByteBufAllocator allocator;
  private final boolean direct;
  private final int maxPooledBytes;
  private final SegmentListener segments;

  /**
   * Makes one for a kind of memory of an allocator.
   *
   * @param maxPooledBytes the size of the largest segment that buffers share
   * @param segments is told of segments, too
   */
  public AllocatorEvents(
      ByteBufAllocator allocator, boolean direct, int maxPooledBytes, SegmentListener segments) {
    this.allocator = allocator;
    this.direct = direct;
    this.maxPooledBytes = maxPooledBytes;
    this.segments = segments;
  }

  public static boolean allocationsAreRecorded() {
    return JFR && AllocateBufferEvent.isOn();
  }

  public static boolean releasesAreRecorded() {
    return JFR && FreeBufferEvent.isOn();
  }

  public static boolean reallocationsAreRecorded() {
    return JFR && ReallocateBufferEvent.isOn();
  }

  /** For a buffer that begins to be used, by the thread that allocated it. */
  public void allocated(ByteBuf buffer, long address, int blockBytes, Page<?> page) {
    try {
      AllocateBufferEvent.record(buffer, address, isPooled(blockBytes), isOwned(page));
    } catch (Throwable e) {
      missed(e);
    }
  }

  /** For a buffer that nobody has any more, and nobody else can get yet. */
  public static void released(ByteBuf buffer, long address) {
    try {
      FreeBufferEvent.record(buffer, address);
    } catch (Throwable e) {
      missed(e);
    }
  }

  /** For a buffer that is about to get another block. */
  public static void reallocating(ByteBuf buffer, long address, int newCapacity) {
    try {
      ReallocateBufferEvent.record(buffer, address, newCapacity);
    } catch (Throwable e) {
      missed(e);
    }
  }

  @Override
  public void segmentObtained(Memory memory, int bytes) {
    segments.segmentObtained(memory, bytes);
    if (JFR) {
      try {
        AllocateChunkEvent.record(
            allocator.getClass(), direct, bytes, address(memory), isPooled(bytes));
      } catch (Throwable e) {
        missed(e);
      }
    }
  }

  @Override
  public void segmentFreed(Memory memory, int bytes) {
    segments.segmentFreed(memory, bytes);
    if (JFR) {
      try {
        FreeChunkEvent.record(
            allocator.getClass(), direct, bytes, address(memory), isPooled(bytes));
      } catch (Throwable e) {
        missed(e);
      }
    }
  }

  @Override
  public void purged(int segments, long bytes) {
    if (JFR) {
      try {
        PurgeEvent.record(allocator.getClass(), direct, segments, bytes);
      } catch (Throwable e) {
        missed(e);
      }
    }
  }

  @Override
  public void adopted() {
    if (JFR) {
      try {
        ThreadHeapAdoptionEvent.record(allocator.getClass(), direct);
      } catch (Throwable e) {
        missed(e);
      }
    }
  }

  @Override
  public void retriedForMemory(long usedBytes) {
    if (JFR) {
      try {
        OutOfMemoryRetryEvent.record(allocator.getClass(), direct, usedBytes);
      } catch (Throwable e) {
        missed(e);
      }
    }
  }

  /** The only one that the log hears of, whose appenders may allocate and throw. */
  @Override
  public void doubleReleasesCaught(long releases) {
    if (JFR) {
      try {
        DoubleReleaseEvent.record(allocator.getClass(), direct, releases);
      } catch (Throwable e) {
        missed(e);
      }
    }
    logger.error(
        "A buffer was released twice at the same time, by the thread that allocated it and by"
            + " another one. The second release was dropped, but the buffer may have been in use by"
            + " others already: the application releases a buffer that it does not hold."
            + (releases == 1 ? "" : " It happened " + releases + " times."));
  }

  /**
   * For an event that failed, whatever with: where the Java heap is exhausted, Flight Recorder and
   * the linkage of its classes throw {@link InternalError}s and others besides {@link
   * OutOfMemoryError}. No event is worth a buffer or a segment that is lost.
   */
  @SuppressWarnings("UnusedVariable") // all callers hand over what they caught: one place for all
  private static void missed(Throwable failure) {}

  private boolean isPooled(int bytes) {
    return bytes <= maxPooledBytes;
  }

  private static boolean isOwned(Page<?> page) {
    Heap<?> heap = page.heap();
    return heap != null && heap.isOwner(Thread.currentThread());
  }

  private static long address(Memory memory) {
    return ((Located) memory).address();
  }

  /**
   * Before the first allocation, not in the midst of one. A class of an event that is initialized
   * registers itself, under a lock of Flight Recorder; older JDKs may come to a deadlock there with
   * a class loader that is loading another one (JDK-8368670).
   */
  private static void initializeEvents() {
    Class<?>[] events = {
      AllocateBufferEvent.class,
      FreeBufferEvent.class,
      ReallocateBufferEvent.class,
      AllocateChunkEvent.class,
      FreeChunkEvent.class,
      PurgeEvent.class,
      ThreadHeapAdoptionEvent.class,
      OutOfMemoryRetryEvent.class,
      DoubleReleaseEvent.class,
      NativeHeapTrimEvent.class
    };
    try {
      for (Class<?> event : events) {
        MethodHandles.lookup().ensureInitialized(event);
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e); // they are public
    }
  }
}
