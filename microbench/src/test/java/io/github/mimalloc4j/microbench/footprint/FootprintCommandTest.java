package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.Progress;
import io.github.mimalloc4j.microbench.UsageException;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FootprintCommandTest {
  private static final FootprintPlan SMALL = new FootprintPlan(1 << 20, Duration.ofMillis(100), 2);

  @TempDir private Path folder;

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  @Test
  void defaultsAreThoseOfTheSynopsis() throws Exception {
    FootprintCommand.Options options = FootprintCommand.parse(List.of());

    assertThat(options.allocators())
        .containsExactly(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED);
    assertThat(options.output()).isEqualTo(Path.of("footprint.html"));
    assertThat(options.json()).isEqualTo(Path.of("footprint.json"));
    assertThat(options.plan()).isEqualTo(new FootprintPlan(512L << 20, Duration.ofSeconds(5), 300));
    assertThat(FootprintCommand.SYNOPSIS)
        .contains(
            "all",
            "footprint.html",
            "footprint.json",
            "--burst 512",
            "--seconds 5",
            "--threads 300");
  }

  @Test
  void optionsAreRead() throws Exception {
    Path output = folder.resolve("page.html");
    Path json = folder.resolve("samples.json");
    FootprintCommand.Options options =
        FootprintCommand.parse(
            List.of(
                "--allocator=pooled,Mimalloc",
                "--output=" + output,
                "--json=" + json,
                "--burst=2048",
                "--seconds=0.25",
                "--threads=7"));

    assertThat(options.allocators()).containsExactly(AllocatorKind.POOLED, AllocatorKind.MIMALLOC);
    assertThat(options.output()).isEqualTo(output);
    assertThat(options.json()).isEqualTo(json);
    assertThat(options.plan()).isEqualTo(new FootprintPlan(2L << 30, Duration.ofMillis(250), 7));
  }

  @Test
  void unwritableOutputIsSaidBeforeTheMeasuring() {
    for (Path output : List.of(folder, folder.resolve("no such folder").resolve("page.html"))) {
      for (String option : List.of("--output", "--json")) {
        assertThatThrownBy(() -> FootprintCommand.parse(List.of(option, output.toString())))
            .isInstanceOf(UsageException.class)
            .hasMessage(option + " " + output + " cannot be written");
      }
    }
  }

  @Test
  void planSurvivesTheWayToTheOtherJvm() {
    String[] words = SMALL.toArguments();

    assertThat(FootprintPlan.parse(words[0], words[1], words[2])).isEqualTo(SMALL);
  }

  @Test
  void allocatorsAreMeasuredInTurnAndProgressTellsTheTimeLeft() throws Exception {
    FootprintCommand.Options options =
        new FootprintCommand.Options(
            List.of(AllocatorKind.POOLED, AllocatorKind.MIMALLOC),
            folder.resolve("page.html"),
            folder.resolve("samples.json"),
            new FootprintPlan(1 << 20, Duration.ofSeconds(6), 2));
    List<AllocatorKind> measured = new ArrayList<>();

    Map<AllocatorKind, List<Sample>> samples =
        FootprintCommand.measure(
            options,
            (allocator, plan, begun) -> {
              measured.add(allocator);
              begun.accept(Phase.STEADY);
              begun.accept(Phase.BURST_IDLE);
              return List.of();
            },
            new Progress(new PrintStream(shown, true, StandardCharsets.UTF_8), false));

    assertThat(measured).isEqualTo(options.allocators());
    assertThat(samples.keySet()).containsExactlyElementsOf(measured);
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "pooled: steady, about 120 s left",
            "pooled: idle after the burst, about 108 s left",
            "mimalloc: steady, about 60 s left",
            "mimalloc: idle after the burst, about 48 s left");
  }

  @Test
  void wholeCommandMakesAPageAndWritesTheSamples() throws Exception {
    Path output = folder.resolve("page.html");
    Path json = folder.resolve("samples.json");

    int code =
        FootprintCommand.run(
            List.of(
                ("--allocator mimalloc --burst 4 --seconds 0.1 --threads 10 --output "
                        + output
                        + " --json "
                        + json)
                    .split(" ")),
            new PrintStream(shown, true, StandardCharsets.UTF_8),
            System.err);

    assertThat(code).isZero();
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("| burst ", "| MIMALLOC ", "-XX:+UseG1GC", "leakDetection.level=disabled")
        .contains(output.toString(), json.toString());
    String html = Files.readString(output);
    assertThat(PageReader.charts(html)).isNotEmpty();
    assertThat(PageReader.points(PageReader.charts(html).get(0), "MIMALLOC"))
        .hasSizeGreaterThanOrEqualTo(2 * Phase.values().length);
    FootprintResults read =
        FootprintResults.read(JsonParser.parseString(Files.readString(json)).getAsJsonObject());
    assertThat(new FootprintReport(read).html())
        .as("the samples make the same page")
        .isEqualTo(html);
  }

  @Test
  void failureOfTheOtherJvmIsToldInItsOwnWords() {
    WorkerProcess worker = new WorkerProcess(List.of("-XX:+NoSuchFlag"));

    assertThatThrownBy(() -> worker.measure(AllocatorKind.POOLED, SMALL, phase -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the JVM for pooled ended with exit code 1")
        .hasMessageContaining("NoSuchFlag");
  }
}
