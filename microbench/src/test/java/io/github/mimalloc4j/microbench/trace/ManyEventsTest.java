package io.github.mimalloc4j.microbench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AdaptiveByteBufAllocator;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several threads at once, many events: a recording has them in pieces and out of order. */
class ManyEventsTest {
  private static final int THREADS = 4;
  private static final int PAIRS_PER_THREAD = 25_000;

  /** How many buffers of a thread are live. */
  private static final int LIVE = 100;

  @TempDir private Path folder;

  @Test
  void everyBufferIsFoundAgain() throws Exception {
    Path file = folder.resolve("many.jfr");
    record(file);
    long[] inFile = new long[2];
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        inFile[0] += event.getEventType().getName().equals("io.netty.AllocateBuffer") ? 1 : 0;
        inFile[1] += event.getEventType().getName().equals("io.netty.FreeBuffer") ? 1 : 0;
      }
    }

    TraceSummary summary = Trace.ofRecording(file, folder.resolve("many.trace"));

    LifeCounts counts = summary.counts();
    assertThat(counts.allocations()).isEqualTo(inFile[0]);
    assertThat(counts.releases()).isEqualTo(inFile[1]);
    if (inFile[0] == THREADS * PAIRS_PER_THREAD && inFile[1] == inFile[0]) {
      // None was dropped, so all lives are whole, in spite of addresses that are used again.
      assertThat(counts.located()).isEqualTo(inFile[0]);
      assertThat(counts.unknownReleases() + counts.missingReleases() + counts.liveBefore())
          .isZero();
    }
    assertThat(counts.liveAtEnd())
        .isEqualTo(
            counts.allocations()
                + counts.liveBefore()
                - counts.missingReleases()
                - (counts.releases() - counts.unknownReleases()));
    assertThat(summary.lanes()).hasSize(THREADS);
  }

  private static void record(Path file) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable(PlantedRecording.Allocate.class);
      recording.enable(PlantedRecording.Free.class);
      recording.start();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        long base = i + 1L << 32;
        Thread thread = new Thread(() -> work(base), "nioEventLoopGroup-2-" + i);
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      recording.stop();
      recording.dump(file);
    }
  }

  /** The oldest buffer's address is taken by the next one. */
  private static void work(long base) {
    Deque<PlantedRecording.Free> live = new ArrayDeque<>();
    for (int i = 0; i < PAIRS_PER_THREAD; i++) {
      PlantedRecording.Free release = new PlantedRecording.Free();
      if (live.size() == LIVE) {
        PlantedRecording.Free oldest = live.removeFirst();
        release.address = oldest.address;
        oldest.commit();
      } else {
        release.address = base + live.size() * 64L;
      }
      PlantedRecording.Allocate event = new PlantedRecording.Allocate();
      event.address = release.address;
      for (PlantedRecording.BufferEvent each :
          List.<PlantedRecording.BufferEvent>of(event, release)) {
        each.allocatorType = AdaptiveByteBufAllocator.class;
        each.direct = true;
        each.size = 64;
        each.maxFastCapacity = 64;
        each.maxCapacity = Integer.MAX_VALUE;
      }
      event.commit();
      live.addLast(release);
    }
    live.forEach(PlantedRecording.Free::commit);
  }
}
