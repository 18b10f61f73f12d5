package io.github.mimalloc4j.microbench.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Reads a recording of Flight Recorder, event by event, and keeps what a trace is made of. */
final class RecordingReader {
  /** For events of a thread that Flight Recorder does not know any more. */
  private static final long UNKNOWN_THREAD = Long.MIN_VALUE;

  final BufferEvents events = new BufferEvents();
  final RecordedThreads threads = new RecordedThreads();
  private final Map<Long, String> classes = new HashMap<>();
  private final Map<String, Long> allocators = new TreeMap<>();
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;
  private long lostBytes;
  private int collections;
  private int processors;
  private int loads;
  private double sumOfLoads;

  private RecordingReader() {}

  /**
   * Reads a file.
   *
   * @throws IOException if it is no recording, or not whole, or has no events of buffers; the
   *     message says so in one line
   */
  static RecordingReader read(Path file) throws IOException {
    RecordingCheck.requireWhole(file);
    RecordingReader reader = new RecordingReader();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        reader.take(recording.readEvent());
      }
    } catch (IOException | RuntimeException | InternalError e) {
      // What the JDK's reader throws where bytes are wrong; some of it has no message.
      throw new IOException(file + " is damaged: the JDK cannot read it (" + e + ")", e);
    }
    if (reader.events.count() == 0) {
      throw new IOException(
          file
              + " has no events of buffers. Was it recorded with the settings of the record"
              + " command, in a JVM with an allocator that has such events (mimalloc4j, or Adaptive"
              + " or Pooled of Netty 4.2, but not of Netty 4.1)?");
    }
    return reader;
  }

  /** Nanoseconds since 1970. */
  long start() {
    return first;
  }

  long end() {
    return last;
  }

  RecordedFacts facts(Path file) {
    return new RecordedFacts(
        String.valueOf(file.getFileName()),
        (last - first) / 1e9,
        allocators,
        lostBytes,
        loads == 0 || processors == 0 ? null : sumOfLoads / loads * processors,
        collections);
  }

  private void take(RecordedEvent event) {
    long time = time(event);
    first = Math.min(first, time);
    last = Math.max(last, time);
    switch (event.getEventType().getName()) {
      case "io.netty.AllocateBuffer" -> addBuffer(BufferEvents.Kind.ALLOCATE, time, event);
      case "io.netty.FreeBuffer" -> addBuffer(BufferEvents.Kind.FREE, time, event);
      case "io.netty.ReallocateBuffer" -> addBuffer(BufferEvents.Kind.REALLOCATE, time, event);
      case "jdk.CPULoad" -> addLoad(event);
      case "jdk.CPUInformation" -> processors = event.getInt("hwThreads");
      case "jdk.DataLoss" -> lostBytes += event.getLong("amount");
      case "jdk.GarbageCollection" -> collections++;
      default -> {}
    }
  }

  private void addBuffer(BufferEvents.Kind kind, long time, RecordedEvent event) {
    int thread = thread(event.getThread());
    threads.seen(thread, time);
    String allocator = name(event.getClass("allocatorType"));
    if (kind == BufferEvents.Kind.ALLOCATE) {
      allocators.merge(allocator, 1L, Long::sum);
      if (event.getBoolean("chunkThreadLocal")) {
        threads.hasOwnMemory(thread);
      }
    }
    boolean direct = event.getBoolean("direct");
    events.add(
        kind,
        time,
        thread,
        allocator,
        direct,
        direct ? event.getLong("address") : 0,
        event.getInt("size"),
        kind == BufferEvents.Kind.REALLOCATE ? event.getInt("newCapacity") : 0,
        event.getInt("maxFastCapacity"),
        event.getInt("maxCapacity"));
  }

  /** The first one has nothing before it that it could be the difference to: it says 0. */
  private void addLoad(RecordedEvent event) {
    double load = event.getFloat("jvmUser") + event.getFloat("jvmSystem");
    if (loads > 0 || load > 0) {
      sumOfLoads += load;
      loads++;
    }
  }

  private int thread(@Nullable RecordedThread thread) {
    long id = thread == null ? UNKNOWN_THREAD : thread.getId();
    int known = threads.number(id);
    if (known >= 0) {
      return known;
    }
    if (thread == null) {
      return threads.add(id, null, null, false);
    }
    // Before JDK 21 there is no such field, and no virtual thread.
    boolean virtual = thread.hasField("virtual") && thread.getBoolean("virtual");
    String name = thread.getJavaName() != null ? thread.getJavaName() : thread.getOSName();
    String group = thread.getThreadGroup() == null ? null : thread.getThreadGroup().getName();
    return threads.add(id, name, group, virtual);
  }

  private String name(@Nullable RecordedClass allocator) {
    return allocator == null
        ? "unknown"
        : classes.computeIfAbsent(allocator.getId(), unknown -> allocator.getName());
  }

  /**
   * When it was recorded, which is when it ended: what took long may have begun hours before the
   * recording. Events of buffers take no time.
   */
  private static long time(RecordedEvent event) {
    Instant time = event.getEndTime();
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }
}
