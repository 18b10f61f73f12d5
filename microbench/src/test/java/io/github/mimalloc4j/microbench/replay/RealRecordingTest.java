package io.github.mimalloc4j.microbench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.trace.LifeCounts;
import io.github.mimalloc4j.microbench.trace.ThreadRole;
import io.github.mimalloc4j.microbench.trace.Trace;
import io.github.mimalloc4j.microbench.trace.TraceFile;
import io.github.mimalloc4j.microbench.trace.TraceOperation;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real servers, recorded as users record them: all that was recorded is replayed. */
@Timeout(240)
class RealRecordingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** Counts in the recording itself, by names of events. */
  private final Map<String, Long> events = new HashMap<>();

  private long bytes;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"MIMALLOC", "ADAPTIVE", "POOLED"})
  void theReplayDoesWhatTheServerDid(AllocatorKind kind) throws Exception {
    Path settings = folder.resolve("netty.jfc");
    assertThat(CommandRun.of(new RecordCommand(), "--output", settings.toString()).code()).isZero();
    Path recording = folder.resolve("server.jfr");
    Counted counted = record(kind, settings, recording);
    readEvents(recording);

    Path file = folder.resolve("server.trace");
    TraceSummary trace = Trace.ofRecording(recording, file);

    LifeCounts counts = trace.counts();
    assertThat(counts.allocations() + counts.reallocations())
        .isEqualTo(events.get("io.netty.AllocateBuffer"))
        .isGreaterThan(RecordedServer.REQUESTS);
    assertThat(counts.releases()).isEqualTo(events.get("io.netty.FreeBuffer"));
    assertThat(counts.reallocations())
        .isEqualTo(events.getOrDefault("io.netty.ReallocateBuffer", 0L));
    assertThat(counts.unknownReleases()).isZero();
    assertThat(counts.missingReleases()).isZero();
    assertThat(counts.liveAtEnd())
        .isEqualTo(counts.allocations() + counts.liveBefore() - counts.releases());
    assertThat(
            trace.sizes().entrySet().stream()
                .mapToLong(size -> size.getKey() * size.getValue())
                .sum())
        .isEqualTo(bytes);
    if (kind == AllocatorKind.MIMALLOC) {
      assertThat(counts.allocations() + counts.reallocations())
          .isBetween(counted.fewest(), counted.most());
    }
    assertThat(trace.facts().allocators().keySet())
        .containsExactly(kind.create().getClass().getName());
    assertThat(trace.facts().cores()).isPositive();
    assertThat(trace.lanes()).containsOnly(ThreadRole.EVENT_LOOP);
    assertReplayed(file, trace);
  }

  /** With another allocator, in this JVM. */
  private static void assertReplayed(Path file, TraceSummary trace) throws Exception {
    long[] releases = new long[1];
    TraceFile.visit(
        file,
        (operation, nanos, lane, slot, size, direct) ->
            releases[0] += operation == TraceOperation.RELEASE ? 1 : 0);
    assertThat(releases[0]).isEqualTo(trace.counts().releases());
    Work work = new Work.Allocating(AllocatorKind.UNPOOLED.create());
    try (Players players = new Players(Program.load(file), () -> work)) {
      ReplayRun.Figures figures = players.playFast(Set.of());
      assertThat(figures.allocations()).isEqualTo(trace.counts().allocations());
    }
  }

  /**
   * The allocations that the server's allocator has counted. An event loop that is late may
   * allocate while the recording starts or stops.
   */
  private record Counted(long fewest, long most) {}

  private static Counted record(AllocatorKind kind, Path settings, Path recording)
      throws Exception {
    List<String> counted = new CopyOnWriteArrayList<>();
    try (ChildProcess server =
        ChildProcess.startJvm(
            "a recorded server",
            List.of("-Xmx256m"),
            RecordedServer.class,
            Stream.of(kind.name(), settings, recording).map(Object::toString).toList(),
            line ->
                line.startsWith("allocations ")
                    && counted.addAll(List.of(line.split(" ", -1)).subList(1, 3)))) {
      server.awaitSuccess(PATIENCE);
    }
    assertThat(counted).hasSize(2);
    return new Counted(Long.parseLong(counted.get(0)), Long.parseLong(counted.get(1)));
  }

  private void readEvents(Path recording) throws Exception {
    for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
      String name = event.getEventType().getName();
      events.merge(name, 1L, Long::sum);
      bytes += name.equals("io.netty.AllocateBuffer") ? event.getInt("size") : 0;
    }
    assertThat(events).doesNotContainKey("jdk.DataLoss");
  }
}
