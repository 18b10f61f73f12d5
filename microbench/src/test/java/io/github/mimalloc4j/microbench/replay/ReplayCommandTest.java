package io.github.mimalloc4j.microbench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.github.mimalloc4j.microbench.page.PageReader;
import io.github.mimalloc4j.microbench.report.ReportCommand;
import io.github.mimalloc4j.microbench.trace.PlantedRecording;
import io.github.mimalloc4j.microbench.trace.PlantedTrace;
import io.github.mimalloc4j.microbench.trace.ThreadRole;
import io.github.mimalloc4j.microbench.trace.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(240)
class ReplayCommandTest {
  @TempDir private Path folder;

  private CommandRun replay(Path file, String... options) {
    String[] all = new String[options.length + 5];
    all[0] = file.toString();
    all[1] = "--output";
    all[2] = folder.resolve("replay.html").toString();
    all[3] = "--json";
    all[4] = folder.resolve("replay.json").toString();
    System.arraycopy(options, 0, all, 5, options.length);
    return CommandRun.of(new ReplayCommand(50, 500), all);
  }

  @Test
  void aRecordingBecomesAPageATableAndATrace() throws Exception {
    Path recording = folder.resolve("prod.jfr");
    try (PlantedRecording planted = new PlantedRecording()) {
      for (int i = 1; i <= 50; i++) {
        planted.allocate("nioEventLoopGroup-2-1", 4096 * i, 100 * i);
        planted.free(i % 2 == 0 ? "worker-1" : "nioEventLoopGroup-2-1", 4096 * i, 100 * i);
      }
      planted.in(recording);
    }
    Path trace = folder.resolve("prod.trace");

    CommandRun run =
        replay(
            recording,
            "--allocator",
            "mimalloc,io.netty.buffer.UnpooledByteBufAllocator",
            "--jvms",
            "1",
            "--seconds",
            "60",
            "--trace",
            trace.toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(PageReader.rows(run.out()).stream().map(row -> row.get(0)))
        .contains("MIMALLOC", "io.netty.buffer.UnpooledByteBufAllocator", "FLOOR");
    assertThat(run.out())
        .contains("50 buffers in")
        .contains("a thread other than the allocating one: 50.00 % (25 of 50)")
        .contains("Limits of the recording");
    assertThat(PageReader.charts(Files.readString(folder.resolve("replay.html")))).hasSize(5);
    ReplayResults read = results();
    assertThat(read.measured().values()).allMatch(jvms -> jvms.size() == 1);
    assertThat(read.pacedSeconds()).isEqualTo(read.summary().facts().seconds());
    for (List<ReplayRun.Measured> jvms : read.measured().values()) {
      for (ReplayRun.Measured one : jvms) {
        assertThat(one.fast().allocations()).as("in several passes").isGreaterThan(50);
        assertThat(one.fast().allocations() % 50).isZero();
        assertThat(one.paced().allocations()).as("in one").isBetween(1L, 50L);
        assertThat(one.pacedSamples()).isNotEmpty();
        if (ResidentMemory.bytes().isPresent()) {
          assertThat(one.pacedSamples())
              .as("what any JVM has beside its Java heap")
              .allSatisfy(sample -> assertThat(sample.resident()).isBetween(10L << 20, 1L << 30));
        }
      }
    }
    assertThat(TraceFile.summary(trace)).isEqualTo(read.summary());
    Path report = folder.resolve("report.html");
    CommandRun reported =
        CommandRun.of(
            new ReportCommand(),
            folder.resolve("replay.json").toString(),
            "--output",
            report.toString());
    assertThat(reported.code()).as(reported.err()).isZero();
    assertThat(Files.readString(report)).contains("Would it help me?");
  }

  @Test
  void aTraceIsReplayedOnThreadsOfAllKinds() throws Exception {
    Path trace = folder.resolve("planted.trace");
    PlantedTrace.random(
        trace,
        List.of(ThreadRole.EVENT_LOOP, ThreadRole.PLAIN, ThreadRole.VIRTUAL, ThreadRole.EVENT_LOOP),
        20_000,
        3);

    CommandRun run = replay(trace, "--allocator", "mimalloc", "--jvms=1", "--seconds=0.3");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("buffers in 0.4 s", "0.50 processors").doesNotContain("Trace:");
    ReplayResults read = results();
    assertThat(read.pacedSeconds()).isEqualTo(0.3);
    long recorded = read.summary().counts().allocations();
    assertThat(read.measured().get("MIMALLOC"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.fast().allocations()).isPositive();
              assertThat(one.fast().allocations() % recorded).isZero();
              assertThat(one.paced().allocations()).isBetween(recorded / 2, recorded * 9 / 10);
            });
  }

  private ReplayResults results() throws Exception {
    return ReplayResults.FORMAT.read(
        JsonParser.parseString(Files.readString(folder.resolve("replay.json"))));
  }

  @ParameterizedTest
  @CsvSource({
    "--allocator jemalloc, allocator jemalloc is none of",
    "'--allocator pooled,POOLED', POOLED is named twice",
    "--jvms 0, --jvms must be a whole number from 1 to 100",
    "--seconds 0, --seconds must be a number from 0.1 to 3600",
  })
  void senselessOptionsAreRefusedBeforeAnythingIsRead(String options, String message) {
    CommandRun run = replay(folder.resolve("none.jfr"), options.split(" "));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).singleElement().asString().contains(message);
  }

  @ParameterizedTest
  @CsvSource({"--output, replay.html", "--json, replay.json", "--trace, replay.trace"})
  void theRecordingIsNotOverwritten(String option, String sameFile) throws Exception {
    Path recording = folder.resolve(sameFile);
    try (PlantedRecording planted = new PlantedRecording()) {
      planted.allocate("loop", 0x1000, 100).in(recording);
    }
    byte[] before = Files.readAllBytes(recording);

    CommandRun run = replay(recording, "--trace", folder.resolve("replay.trace").toString());

    assertThat(run.code()).isOne();
    assertThat(run.errors()).containsExactly("replay: " + option + " would overwrite " + recording);
    assertThat(recording).hasBinaryContent(before);
  }

  @Test
  void aTraceThatIsCutOffIsRefusedInOneLine() throws Exception {
    Path trace = folder.resolve("planted.trace");
    PlantedTrace.random(trace, List.of(ThreadRole.PLAIN), 100, 1);
    byte[] whole = Files.readAllBytes(trace);
    Files.write(trace, Arrays.copyOf(whole, whole.length - 9));

    Path kept = folder.resolve("kept.trace");
    Files.write(kept, whole);

    CommandRun run = replay(trace, "--trace", kept.toString());

    assertThat(run.code()).isOne();
    assertThat(run.errors()).containsExactly("replay: " + trace + " is damaged or truncated");
    assertThat(kept).hasBinaryContent(whole);
    assertThat(folder.resolve("replay.html")).doesNotExist();
  }
}
