package io.github.mimalloc4j.microbench.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Traces that no program has made. */
public final class PlantedTrace {
  /** The time between two operations. */
  private static final long STEP_NANOS = 20_000;

  private PlantedTrace() {}

  /** Lanes that take turns, each with one buffer of its own: none ever waits for another's. */
  public static TraceSummary separate(Path file, int lanes, int operations) throws IOException {
    try (TraceFile.Writer writer = new TraceFile.Writer(file)) {
      for (int i = 0; i < operations; i++) {
        int lane = i % lanes;
        boolean allocate = i / lanes % 2 == 0;
        writer.operation(
            allocate ? TraceOperation.ALLOCATE : TraceOperation.RELEASE,
            i * STEP_NANOS,
            lane,
            lane,
            allocate ? 100 : 0,
            allocate);
      }
      return end(writer, operations / 2, Collections.nCopies(lanes, ThreadRole.PLAIN), lanes, 0, 0);
    }
  }

  /**
   * A lane that now and then allocates a buffer and keeps it, and one that in between allocates and
   * releases its own buffer many times.
   */
  public static TraceSummary rareAndBusy(Path file, int rare, int timesBetween) throws IOException {
    try (TraceFile.Writer writer = new TraceFile.Writer(file)) {
      for (int i = 0; i < rare; i++) {
        writer.operation(TraceOperation.ALLOCATE, nanos(writer), 0, 1 + i, 100, true);
        for (int j = 0; j < timesBetween; j++) {
          writer.operation(TraceOperation.ALLOCATE, nanos(writer), 1, 0, 100, true);
          writer.operation(TraceOperation.RELEASE, nanos(writer), 1, 0, 0, false);
        }
      }
      List<ThreadRole> lanes = Collections.nCopies(2, ThreadRole.PLAIN);
      return end(writer, (long) rare * (1 + timesBetween), lanes, 1 + rare, 0, rare);
    }
  }

  private static long nanos(TraceFile.Writer writer) {
    return writer.operations() * STEP_NANOS;
  }

  /**
   * A lane with buffers that were live before, half of which it releases, and a lane that allocates
   * and releases its own.
   */
  public static TraceSummary besidesThoseBefore(Path file, int before, int own) throws IOException {
    try (TraceFile.Writer writer = new TraceFile.Writer(file)) {
      for (int i = 0; i < before; i++) {
        writer.operation(TraceOperation.ALLOCATE, 0, 0, i, 100, true);
      }
      for (int i = 0; i < own; i++) {
        long nanos = i * STEP_NANOS;
        writer.operation(TraceOperation.ALLOCATE, nanos, 1, before, 100, true);
        writer.operation(TraceOperation.RELEASE, nanos, 1, before, 0, false);
        if (i < before / 2) {
          writer.operation(TraceOperation.RELEASE, nanos, 0, i, 0, false);
        }
      }
      List<ThreadRole> lanes = Collections.nCopies(2, ThreadRole.PLAIN);
      return end(writer, own, lanes, before + 1, before, before - before / 2);
    }
  }

  /**
   * Random operations of some lanes; most on buffers that another lane did something to last. Some
   * buffers are left.
   */
  public static TraceSummary random(Path file, List<ThreadRole> lanes, int operations, long seed)
      throws IOException {
    Random random = new Random(seed);
    List<Integer> live = new ArrayList<>();
    List<Integer> free = new ArrayList<>();
    int slots = 0;
    long allocations = 0;
    try (TraceFile.Writer writer = new TraceFile.Writer(file)) {
      for (int i = 0; i < operations; i++) {
        long nanos = i * STEP_NANOS;
        int lane = random.nextInt(lanes.size());
        int kind = random.nextInt(10);
        if (live.isEmpty() || kind < 4 && live.size() < 500) {
          int slot = free.isEmpty() ? slots++ : free.remove(free.size() - 1);
          boolean direct = random.nextBoolean();
          int size = random.nextInt(9000);
          writer.operation(TraceOperation.ALLOCATE, nanos, lane, slot, size, direct);
          live.add(slot);
          allocations++;
        } else if (kind < 5) {
          int slot = live.get(random.nextInt(live.size()));
          int size = 1 + random.nextInt(20_000);
          writer.operation(TraceOperation.RESIZE, nanos, lane, slot, size, false);
        } else {
          Collections.swap(live, random.nextInt(live.size()), live.size() - 1);
          int slot = live.remove(live.size() - 1);
          writer.operation(TraceOperation.RELEASE, nanos, lane, slot, 0, false);
          free.add(slot);
        }
      }
      return end(writer, allocations, lanes, slots, 0, live.size());
    }
  }

  private static TraceSummary end(
      TraceFile.Writer writer,
      long allocations,
      List<ThreadRole> lanes,
      int slots,
      int before,
      int live)
      throws IOException {
    double seconds = writer.operations() * STEP_NANOS / 1e9;
    TraceSummary summary =
        new TraceSummary(
            new RecordedFacts("planted", seconds, Map.of("an.Allocator", allocations), 0, 0.5, 0),
            new LifeCounts(
                allocations,
                before + allocations - live,
                0,
                before,
                live,
                0,
                0,
                0,
                allocations / 2,
                9_000_000,
                9_000_000),
            writer.operations(),
            slots,
            lanes,
            lanes.size(),
            Map.of(100, allocations),
            Collections.nCopies(Long.SIZE, 1L),
            Collections.nCopies(Long.SIZE, 0L),
            Collections.nCopies(Histograms.MOMENTS, 1_000_000L));
    writer.end(summary);
    return summary;
  }
}
