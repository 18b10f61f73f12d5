package io.github.mimalloc4j.netty.figures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What Flight Recorder has of a program: the events of allocators, in the order of time. */
record Recorded(List<RecordedEvent> events) {

  static final List<String> NETTYS =
      List.of(
          "io.netty.AllocateBuffer",
          "io.netty.FreeBuffer",
          "io.netty.ReallocateBuffer",
          "io.netty.AllocateChunk",
          "io.netty.FreeChunk");

  static final List<String> OWN =
      List.of(
          "io.github.mimalloc4j.Purge",
          "io.github.mimalloc4j.ThreadHeapAdoption",
          "io.github.mimalloc4j.OutOfMemoryRetry",
          "io.github.mimalloc4j.DoubleRelease");

  /** Those that come by themselves from time to time. */
  static final List<String> PERIODIC =
      List.of("io.github.mimalloc4j.ThreadHeap", "io.github.mimalloc4j.LiveBuffers");

  /** The one of the process, which has no allocator. */
  static final String OF_PROCESS = "io.github.mimalloc4j.NativeHeapTrim";

  /** Records a program, with all of Netty's events. */
  static Recorded of(Callable<?> program) {
    return of(NETTYS, program);
  }

  /** Records a program, with those events that are on by themselves and some others. */
  static Recorded of(List<String> enabled, Callable<?> program) {
    try (Recording recording = new Recording()) {
      enabled.forEach(recording::enable);
      recording.start();
      program.call();
      recording.stop();
      Path file = Files.createTempFile("recorded", ".jfr");
      try {
        recording.dump(file);
        return in(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static Recorded in(Path file) throws IOException {
    return new Recorded(
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> isAllocators(event.getEventType().getName()))
            .sorted(Comparator.comparing(RecordedEvent::getStartTime))
            .toList());
  }

  private static boolean isAllocators(String name) {
    return NETTYS.contains(name) || OWN.contains(name);
  }

  /** Those of an allocator. */
  Recorded by(Class<?> allocator) {
    return only(event -> event.getClass("allocatorType").getName().equals(allocator.getName()));
  }

  /**
   * Those of the calling thread. Others give back what earlier tests have left: the upkeep thread
   * that of idle allocators, the finalizer that of Netty's unreachable ones.
   */
  Recorded byThisThread() {
    long id = Thread.currentThread().getId();
    return only(event -> event.getThread().getJavaThreadId() == id);
  }

  private Recorded only(Predicate<RecordedEvent> condition) {
    return new Recorded(events.stream().filter(condition).toList());
  }

  /** Those of some names, given without their prefixes. */
  List<RecordedEvent> named(String... names) {
    return events.stream().filter(event -> List.of(names).contains(name(event))).toList();
  }

  RecordedEvent only(String name) {
    List<RecordedEvent> named = named(name);
    if (named.size() != 1) {
      throw new AssertionError(named.size() + " times " + name + ":\n" + events);
    }
    return named.get(0);
  }

  /** The name without its prefix. */
  static String name(RecordedEvent event) {
    String name = event.getEventType().getName();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
