package io.github.mimalloc4j.microbench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of recordings whose events are known. */
class TraceTest {
  private static final String LOOP = "nioEventLoopGroup-2-1";
  private static final String OTHER = "worker-1";

  @TempDir private Path folder;

  private TraceSummary summary;

  /** The operations of a recording, without their times. */
  private List<String> trace(PlantedRecording recording) throws Exception {
    try (recording) {
      Path trace = folder.resolve("planted.trace");
      summary = Trace.ofRecording(recording.in(folder.resolve("planted.jfr")), trace);
      assertThat(TraceFile.summary(trace)).isEqualTo(summary);
      List<String> operations = new ArrayList<>();
      long[] last = new long[1];
      TraceFile.visit(
          trace,
          (operation, nanos, lane, slot, size, direct) -> {
            assertThat(nanos).isGreaterThanOrEqualTo(last[0]);
            last[0] = nanos;
            operations.add(
                operation
                    + " "
                    + lane
                    + " #"
                    + slot
                    + (operation == TraceOperation.RELEASE ? "" : " " + size)
                    + (direct ? " direct" : ""));
          });
      assertThat(summary.operations()).isEqualTo(operations.size());
      return operations;
    }
  }

  @Test
  void buffersAreFollowedFromThreadToThread() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(LOOP, 0x1000, 100)
                    .allocate(LOOP, 0x2000, 5000)
                    .free(OTHER, 0x1000, 100)
                    .allocate(OTHER, 0x1000, 300)
                    .free(LOOP, 0x2000, 5000)
                    .free(OTHER, 0x1000, 300)))
        .containsExactly(
            "ALLOCATE 0 #0 100 direct",
            "ALLOCATE 0 #1 5000 direct",
            "RELEASE 1 #0",
            "ALLOCATE 1 #0 300 direct",
            "RELEASE 0 #1",
            "RELEASE 1 #0");
    assertThat(summary.lanes()).containsExactly(ThreadRole.EVENT_LOOP, ThreadRole.PLAIN);
    assertThat(summary.counts()).isEqualTo(new LifeCounts(3, 3, 0, 0, 0, 0, 0, 0, 3, 5300, 0));
    assertThat(summary.sizes()).isEqualTo(Map.of(100, 1L, 300, 1L, 5000, 1L));
    assertThat(summary.released()).isEqualTo(3);
    assertThat(summary.releasedByOthers()).isOne();
    assertThat(summary.threads()).isEqualTo(2);
    assertThat(summary.facts().allocators())
        .isEqualTo(Map.of("io.netty.buffer.AdaptiveByteBufAllocator", 3L));
  }

  @Test
  void whatWasLiveBeforeIsThereFromTheBeginning() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(LOOP, 0x1000, 100)
                    .free(OTHER, 0x9000, 700)
                    .reallocate(LOOP, 0x8000, 50, 4000)
                    .allocate(LOOP, 0x7000, 4000)
                    .free(LOOP, 0x7000, 4000)))
        .containsExactly(
            "ALLOCATE 1 #1 700 direct",
            "ALLOCATE 0 #2 50 direct",
            "ALLOCATE 0 #0 100 direct",
            "RELEASE 1 #1",
            "RESIZE 0 #2 4000",
            "RELEASE 0 #2");
    assertThat(summary.counts().liveBefore()).isEqualTo(2);
    assertThat(summary.counts().liveAtEnd()).isOne();
    assertThat(summary.counts().reallocations()).isOne();
    assertThat(summary.counts().peakLiveBytes()).isEqualTo(4100);
    assertThat(summary.liveBytes().get(0)).isEqualTo(850);
  }

  @Test
  void anAddressThatIsUsedAgainTellsOfAReleaseThatIsMissing() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(LOOP, 0x1000, 100)
                    .allocate(OTHER, 0x1000, 200)
                    .free(OTHER, 0x1000, 200)))
        .containsExactly(
            "ALLOCATE 0 #0 100 direct", "RELEASE 0 #0", "ALLOCATE 1 #1 200 direct", "RELEASE 1 #1");
    assertThat(summary.counts().missingReleases()).isOne();
    assertThat(summary.counts().liveAtEnd()).isZero();
    assertThat(summary.counts().peakLiveBytes()).as("as replayed").isEqualTo(200);
  }

  @Test
  void aReleaseWhoseAllocationIsMissingIsNotReplayed() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(LOOP, 0x1000, 100)
                    .free(LOOP, 0x1000, 100)
                    .free(OTHER, 0x1000, 300)
                    .reallocate(LOOP, 0x1000, 300, 900)
                    .allocate(LOOP, 0x2000, 900)))
        .containsExactly("ALLOCATE 0 #0 100 direct", "RELEASE 0 #0", "ALLOCATE 0 #0 900 direct");
    assertThat(summary.counts().unknownReleases()).isEqualTo(2);
    assertThat(summary.counts().liveBefore()).isZero();
  }

  @Test
  void aReallocationIsOneBufferThatMoves() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(LOOP, 0x1000, 100)
                    .reallocate(OTHER, 0x1000, 100, 5000)
                    .allocate(LOOP, 0x1000, 64) // where it was
                    .allocate(OTHER, 0x2000, 5000)
                    .free(LOOP, 0x2000, 5000)
                    .free(LOOP, 0x1000, 64)))
        .containsExactly(
            "ALLOCATE 0 #0 100 direct",
            "RESIZE 1 #0 5000",
            "ALLOCATE 0 #1 64 direct",
            "RELEASE 0 #0",
            "RELEASE 0 #1");
    assertThat(summary.counts().allocations()).isEqualTo(2);
    assertThat(summary.counts().liveAtEnd()).isZero();
    assertThat(summary.sizes()).isEqualTo(Map.of(64, 1L, 100, 1L, 5000, 1L));
  }

  @Test
  void aReallocationThatFailedLeavesTheBufferWhereItWas() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(LOOP, 0x1000, 100)
                    .reallocate(LOOP, 0x1000, 100, 5000)
                    .free(LOOP, 0x1000, 100)))
        .containsExactly("ALLOCATE 0 #0 100 direct", "RESIZE 0 #0 5000", "RELEASE 0 #0");
    assertThat(summary.counts().liveAtEnd()).isZero();
  }

  @Test
  void growthInPlaceIsPutToTheBeginning() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(LOOP, 0x1000, 100, 512)
                    .allocate(LOOP, 0x2000, 100, 512)
                    .free(LOOP, 0x2000, 100, 512)
                    .free(LOOP, 0x1000, 500, 512)))
        .containsExactly(
            "ALLOCATE 0 #0 100 direct",
            "RESIZE 0 #0 500",
            "ALLOCATE 0 #1 100 direct",
            "RELEASE 0 #1",
            "RELEASE 0 #0");
    assertThat(summary.counts().peakLiveBytes()).as("as replayed").isEqualTo(600);
  }

  @Test
  void buffersThatGrowOneAfterTheOtherAreNotLiveTogether() throws Exception {
    PlantedRecording recording = new PlantedRecording();
    for (int n = 0; n < 10; n++) {
      recording.allocate(LOOP, 0x1000, 100, 512).free(LOOP, 0x1000, 500, 512);
    }
    trace(recording);
    assertThat(summary.counts().peakLiveBytes()).isEqualTo(500);
  }

  @Test
  void heapBuffersAreTakenByTheirSizesAndThreads() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate(OTHER, 0, 100)
                    .allocate(LOOP, 0, 100)
                    .allocate(LOOP, 0, 101)
                    .free(LOOP, 0, 100)
                    .free(LOOP, 0, 101)
                    .free(LOOP, 0, 100)
                    .free(LOOP, 0, 4000)))
        .containsExactly(
            "ALLOCATE 0 #3 4000",
            "ALLOCATE 1 #0 100",
            "ALLOCATE 0 #1 100",
            "ALLOCATE 0 #2 101",
            "RELEASE 0 #1",
            "RELEASE 0 #2",
            "RELEASE 0 #0",
            "RELEASE 0 #3");
    LifeCounts counts = summary.counts();
    assertThat(counts.withoutAddress()).isEqualTo(3);
    assertThat(summary.releasedByOthers()).isOne();
    assertThat(counts.direct()).isZero();
    assertThat(counts.peakHeapBytes()).as("as replayed").isEqualTo(4301);
    assertThat(counts.liveBefore()).isOne();
  }

  /** With Unsafe, its allocations have the address that the object had before. */
  @Test
  void addressesThatPooledTellsTooEarlyAreNotBelieved() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .by(PooledByteBufAllocator.class)
                    .allocate(LOOP, 0x1000, 100)
                    .allocate(LOOP, 0x2000, 5000)
                    .free(LOOP, 0x2000, 100)
                    .free(LOOP, 0x1000, 5000)))
        .containsExactly(
            "ALLOCATE 0 #0 100 direct",
            "ALLOCATE 0 #1 5000 direct",
            "RELEASE 0 #0",
            "RELEASE 0 #1");
    assertThat(summary.counts().withoutAddress()).isEqualTo(2);
  }

  @Test
  void addressesThatPooledTellsWithoutUnsafeAreBelieved() throws Exception {
    trace(
        new PlantedRecording()
            .by(PooledByteBufAllocator.class)
            .allocate(LOOP, 0x1000, 100)
            .allocate(LOOP, 0x2000, 100)
            .free(LOOP, 0x1000, 100)
            .free(OTHER, 0x2000, 100));
    assertThat(summary.counts().withoutAddress()).isZero();
    assertThat(summary.releasedByOthers()).isOne();
  }

  @Test
  void aThreadWithMemoryOfItsOwnIsAnEventLoopWhateverItsName() throws Exception {
    trace(
        new PlantedRecording()
            .allocate("io-1", 0x1000, 10)
            .allocate("io-2", 0x2000, 20)
            .allocateFromOwn("io-2", 0x3000, 20));
    assertThat(summary.lanes()).containsExactly(ThreadRole.EVENT_LOOP, ThreadRole.PLAIN);
  }

  @Test
  void threadsThatComeOneAfterTheOtherShareALane() throws Exception {
    assertThat(
            trace(
                new PlantedRecording()
                    .allocate("worker-1", 0x1000, 10)
                    .free("worker-1", 0x1000, 10)
                    .allocate("worker-2", 0x1000, 20)
                    .allocate("worker-3", 0x2000, 30)
                    .free("worker-2", 0x1000, 20)
                    .free("worker-3", 0x2000, 30)))
        .containsExactly(
            "ALLOCATE 0 #0 10 direct",
            "RELEASE 0 #0",
            "ALLOCATE 0 #0 20 direct",
            "ALLOCATE 1 #1 30 direct",
            "RELEASE 0 #0",
            "RELEASE 1 #1");
    assertThat(summary.threads()).isEqualTo(3);
    assertThat(summary.lanes()).containsExactly(ThreadRole.PLAIN, ThreadRole.PLAIN);
  }

  /** Shares of the program's time are taken of the recording's. */
  @Test
  void whatBeganBeforeTheRecordingDoesNotMakeItLonger() throws Exception {
    PlantedRecording.LongWait wait = new PlantedRecording.LongWait();
    try (PlantedRecording earlier = new PlantedRecording()) {
      wait.begin();
      Instant begun = Instant.now();
      TimeUnit.SECONDS.sleep(1);
      try (PlantedRecording recording = new PlantedRecording()) {
        wait.commit();
        recording.allocate(LOOP, 0x1000, 100);
        RecordingReader reader = RecordingReader.read(recording.in(folder.resolve("planted.jfr")));
        assertThat(Instant.EPOCH.plusNanos(reader.start())).isAfter(begun.plusMillis(500));
      }
    }
  }
}
