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
import io.github.mimalloc4j.netty.jfr.LiveBuffersEvent;
import io.github.mimalloc4j.netty.jfr.NativeHeapTrimEvent;
import io.github.mimalloc4j.netty.jfr.OutOfMemoryRetryEvent;
import io.github.mimalloc4j.netty.jfr.PurgeEvent;
import io.github.mimalloc4j.netty.jfr.ReallocateBufferEvent;
import io.github.mimalloc4j.netty.jfr.ThreadHeapAdoptionEvent;
import io.github.mimalloc4j.netty.jfr.ThreadHeapEvent;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.logging.InternalLogLevel;
import io.netty.util.internal.logging.InternalLogger;
import java.lang.invoke.MethodHandles;
import java.util.List;
import jdk.jfr.Event;

/**
 * Records events of one kind of memory in Flight Recorder, and logs those that must be noticed
 * without it.
 *
 * <p>Every allocation calls {@link #allocationsAreRecorded}, every release {@link
 * #releasesAreRecorded}. That costs nothing until a recording enables the event. Until then {@code
 * isEnabled()} returns a constant; Flight Recorder replaces the method only when the event is
 * enabled, and the JVM then discards the code that was compiled with the constant. A switch of our
 * own would cost a load and a branch.
 *
 * <p>Thread-safe. Without Flight Recorder, or with {@code -Dio.netty.jfr.enabled=false}, no event
 * class is loaded.
 */
public final class AllocatorEvents implements AllocatorListener {

  private static final InternalLogger logger = AllocatorLogger.get();

  /** Whether events are recorded. */
  static final boolean JFR = FlightRecorderSwitch.isOn() && initializeEvents();

  private final ByteBufAllocator allocator;
  private final boolean direct;
  private final SegmentListener segments;

  /**
   * Creates an instance for one kind of an allocator's memory.
   *
   * @param segments also receives the segments
   */
  public AllocatorEvents(ByteBufAllocator allocator, boolean direct, SegmentListener segments) {
    this.allocator = allocator;
    this.direct = direct;
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

  /** Records a buffer that comes into use. Called by the thread that allocated it. */
  public static void allocated(ByteBuf buffer, long address, Page<?> page) {
    try {
      AllocateBufferEvent.record(buffer, address, !page.isDedicated(), isOwned(page));
    } catch (Throwable e) {
      missed(e);
    }
  }

  /** Records a buffer that nobody holds any more and nobody else can obtain yet. */
  public static void released(ByteBuf buffer, long address) {
    try {
      FreeBufferEvent.record(buffer, address);
    } catch (Throwable e) {
      missed(e);
    }
  }

  /** Records a buffer that is about to move to another block. */
  public static void reallocating(ByteBuf buffer, long address, int newCapacity) {
    try {
      ReallocateBufferEvent.record(buffer, address, newCapacity);
    } catch (Throwable e) {
      missed(e);
    }
  }

  @Override
  public void segmentObtained(Memory memory, int bytes, boolean dedicated) {
    segments.segmentObtained(memory, bytes, dedicated);
    if (JFR) {
      try {
        AllocateChunkEvent.record(
            allocator.getClass(), direct, bytes, memory.address(), !dedicated);
      } catch (Throwable e) {
        missed(e);
      }
    }
  }

  @Override
  public void segmentFreed(Memory memory, int bytes, boolean dedicated) {
    segments.segmentFreed(memory, bytes, dedicated);
    if (JFR) {
      try {
        FreeChunkEvent.record(allocator.getClass(), direct, bytes, memory.address(), !dedicated);
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

  /**
   * Records and logs the event. No other event is logged. Appenders of the log may allocate and
   * throw.
   */
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
        "Two threads released the same reference to a buffer at the same time. The second release"
            + " was dropped, but the buffer may have been in use by others already: the application"
            + " releases a buffer that it does not hold."
            + (releases == 1 ? "" : " It happened " + releases + " times."));
  }

  /**
   * Ignores the failure of an event. When the Java heap is exhausted, Flight Recorder and the
   * linking of its classes throw {@link InternalError} and other errors besides {@link
   * OutOfMemoryError}. No event is worth losing a buffer or a segment.
   */
  @SuppressWarnings("UnusedVariable") // the one place that all callers pass failures to
  private static void missed(Throwable failure) {}

  private static boolean isOwned(Page<?> page) {
    Heap<?> heap = page.heap();
    return heap != null && heap.isOwner(Thread.currentThread());
  }

  /**
   * Loads the events before the first allocation, and has them registered now or later.
   * Registration takes a lock of Flight Recorder. In older JDKs this may deadlock with a class
   * loader that is loading another event class (JDK-8368670).
   *
   * @return false if that fails, for example because a security manager does not permit it
   */
  private static boolean initializeEvents() {
    try {
      List<Class<? extends Event>> events =
          List.of(
              AllocateBufferEvent.class,
              FreeBufferEvent.class,
              ReallocateBufferEvent.class,
              AllocateChunkEvent.class,
              FreeChunkEvent.class,
              PurgeEvent.class,
              ThreadHeapAdoptionEvent.class,
              OutOfMemoryRetryEvent.class,
              DoubleReleaseEvent.class,
              NativeHeapTrimEvent.class,
              ThreadHeapEvent.class,
              LiveBuffersEvent.class);
      for (Class<? extends Event> event : events) {
        MethodHandles.lookup().ensureInitialized(event);
      }
      EventRegistration.register(events);
      return true;
    } catch (Throwable e) { // of any kind: buffers need no events
      AllocatorLogger.logFailure(
          InternalLogLevel.WARN, "There are no events of Flight Recorder.", e);
      return false;
    }
  }
}
