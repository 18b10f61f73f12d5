package io.github.mimalloc4j.microbench.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Makes traces of recordings. */
public final class Trace {
  private Trace() {}

  /**
   * Reads a recording and writes what is to be replayed of it.
   *
   * @throws IOException if the recording cannot be read, or has no events of buffers; the message
   *     says so in one line
   */
  public static TraceSummary ofRecording(Path recording, Path trace) throws IOException {
    try {
      return of(RecordingReader.read(recording), recording, trace);
    } catch (OutOfMemoryError e) {
      throw new IOException(
          recording
              + " has too many events for a Java heap of "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MiB. Use a larger one (java -Xmx4g -jar ...), or record for a shorter time",
          e);
    }
  }

  private static TraceSummary of(RecordingReader reader, Path recording, Path trace)
      throws IOException {
    BufferEvents events = reader.events;
    RecordedThreads threads = reader.threads;
    int[] order = events.inOrderOfTime();
    Histograms histograms = new Histograms(reader.end() - reader.start());
    Lives lives = Lives.of(events, order, histograms);
    List<ThreadRole> lanes = threads.assignLanes();
    try (TraceFile.Writer writer = new TraceFile.Writer(trace)) {
      int[] sizes = new int[lives.slots()];
      boolean[] directs = new boolean[lives.slots()];
      TraceVisitor visitor =
          (operation, nanos, lane, slot, size, direct) -> {
            if (operation == TraceOperation.ALLOCATE) {
              directs[slot] = direct;
            }
            histograms.live(nanos, size - sizes[slot], directs[slot]);
            sizes[slot] = size;
            writer.operation(operation, nanos, lane, slot, size, direct);
          };
      write(reader, order, lives, visitor);
      TraceSummary summary =
          new TraceSummary(
              reader.facts(recording),
              lives.counts(),
              writer.operations(),
              lives.slots(),
              lanes,
              threads.count(),
              histograms.sizes(),
              histograms.lifetimes(false),
              histograms.lifetimes(true),
              histograms.liveBytes());
      writer.end(summary);
      return summary;
    }
  }

  private static void write(RecordingReader reader, int[] order, Lives lives, TraceVisitor writer) {
    BufferEvents events = reader.events;
    RecordedThreads threads = reader.threads;
    for (Lives.LiveBefore one : lives.before) {
      int lane = threads.lane(one.thread());
      writer.operation(TraceOperation.ALLOCATE, 0, lane, one.slot(), one.size(), one.direct());
    }
    int missing = 0;
    for (int event : order) {
      long nanos = events.time(event) - reader.start();
      while (missing < lives.missing.size() && lives.missing.get(missing).beforeEvent() == event) {
        Lives.MissingRelease one = lives.missing.get(missing++);
        int lane = threads.lane(one.thread());
        writer.operation(TraceOperation.RELEASE, nanos, lane, one.slot(), 0, false);
      }
      int slot = lives.slot(event);
      if (slot == Lives.NOTHING) {
        continue;
      }
      int lane = threads.lane(events.thread(event));
      switch (events.kind(event)) {
        case ALLOCATE ->
            writer.operation(
                TraceOperation.ALLOCATE,
                nanos,
                lane,
                slot,
                events.size(event),
                events.direct(event));
        case FREE -> writer.operation(TraceOperation.RELEASE, nanos, lane, slot, 0, false);
        case REALLOCATE ->
            writer.operation(
                TraceOperation.RESIZE, nanos, lane, slot, events.newCapacity(event), false);
      }
      int grownTo = lives.grownTo(event);
      if (grownTo > 0) {
        writer.operation(TraceOperation.RESIZE, nanos, lane, slot, grownTo, false);
      }
    }
  }
}
