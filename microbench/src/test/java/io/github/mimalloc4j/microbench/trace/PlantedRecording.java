package io.github.mimalloc4j.microbench.trace;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Event;
import jdk.jfr.MemoryAddress;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;

/**
 * A real recording of Flight Recorder, the events of which a test makes up: at any address, of any
 * size, by threads of any name, one after the other.
 */
public final class PlantedRecording implements AutoCloseable {
  /** What Netty's events have. */
  abstract static class BufferEvent extends Event {
    Class<?> allocatorType;
    boolean direct;
    int size;
    int maxFastCapacity;
    int maxCapacity;
    @MemoryAddress long address;
  }

  @Name("io.netty.AllocateBuffer")
  @StackTrace(false)
  static final class Allocate extends BufferEvent {
    boolean chunkPooled;
    boolean chunkThreadLocal;
  }

  @Name("io.netty.FreeBuffer")
  @StackTrace(false)
  static final class Free extends BufferEvent {}

  @Name("io.netty.ReallocateBuffer")
  @StackTrace(false)
  static final class Reallocate extends BufferEvent {
    int newCapacity;
  }

  /** As a thread's park, which may take hours; other recordings have such events recorded. */
  @Name("io.github.mimalloc4j.LongWait")
  static final class LongWait extends Event {}

  private final Recording recording = new Recording();
  private final Map<String, ExecutorService> threads = new LinkedHashMap<>();
  private Class<? extends ByteBufAllocator> allocator = AdaptiveByteBufAllocator.class;

  public PlantedRecording() {
    List.of(Allocate.class, Free.class, Reallocate.class, LongWait.class)
        .forEach(recording::enable);
    recording.start();
  }

  /** Has what follows recorded by an allocator of another class. */
  public PlantedRecording by(Class<? extends ByteBufAllocator> other) {
    allocator = other;
    return this;
  }

  /** An allocation; of direct memory, unless the address is 0. */
  public PlantedRecording allocate(String thread, long address, int size) {
    return commit(thread, new Allocate(), address, size, rounded(size));
  }

  /** One from memory that only this thread allocates from. */
  PlantedRecording allocateFromOwn(String thread, long address, int size) {
    Allocate event = new Allocate();
    event.chunkThreadLocal = true;
    return commit(thread, event, address, size, rounded(size));
  }

  /** One in memory that has room for the buffer to grow. */
  PlantedRecording allocate(String thread, long address, int size, int room) {
    return commit(thread, new Allocate(), address, size, room);
  }

  public PlantedRecording free(String thread, long address, int size) {
    return commit(thread, new Free(), address, size, rounded(size));
  }

  PlantedRecording free(String thread, long address, int size, int room) {
    return commit(thread, new Free(), address, size, room);
  }

  /** The allocation of the new memory has to follow. */
  public PlantedRecording reallocate(String thread, long address, int size, int newCapacity) {
    Reallocate event = new Reallocate();
    event.newCapacity = newCapacity;
    return commit(thread, event, address, size, rounded(size));
  }

  private static int rounded(int size) {
    return size + 15 & -16;
  }

  private PlantedRecording commit(
      String thread, BufferEvent event, long address, int size, int room) {
    event.allocatorType = allocator;
    event.direct = address != 0;
    event.size = size;
    event.maxFastCapacity = room;
    event.maxCapacity = Integer.MAX_VALUE;
    event.address = address;
    try {
      threads.computeIfAbsent(thread, PlantedRecording::newThread).submit(event::commit).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
    return this;
  }

  private static ExecutorService newThread(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new DefaultThreadFactory("planted", true).newThread(task);
          thread.setName(name);
          return thread;
        });
  }

  /** Ends the recording and writes it. */
  public Path in(Path file) throws Exception {
    recording.stop();
    recording.dump(file);
    return file;
  }

  @Override
  public void close() {
    recording.close();
    threads.values().forEach(ExecutorService::shutdown);
  }
}
