package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.command.CommandLines;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

@Timeout(120)
class FootprintCommandTest {
  @TempDir private Path folder;

  @Test
  void usualRun() {
    FootprintCommand command = CommandLines.parse(new FootprintCommand());

    assertThat(command.allocators()).containsExactly("MIMALLOC", "ADAPTIVE", "POOLED");
    assertThat(command.plan()).isEqualTo(new FootprintPlan(512L << 20, Duration.ofSeconds(5), 300));
  }

  @Test
  void optionsAreRead() {
    FootprintCommand command =
        CommandLines.parse(
            new FootprintCommand(),
            "--allocator=pooled,Mimalloc",
            "--burst=2048",
            "--seconds=0.25",
            "--threads=7");

    assertThat(command.allocators()).containsExactly("POOLED", "MIMALLOC");
    assertThat(command.plan()).isEqualTo(new FootprintPlan(2L << 30, Duration.ofMillis(250), 7));
  }

  @Test
  void unwritableOutputIsSaidBeforeTheMeasuring() {
    for (Path output : List.of(folder, folder.resolve("no such folder").resolve("page.html"))) {
      for (String option : List.of("--output", "--json")) {
        assertThatThrownBy(
                () -> CommandLines.parse(new FootprintCommand(), option, output.toString()))
            .isInstanceOf(ParameterException.class)
            .hasMessageContainingAll(option, "'" + output + "' cannot be written");
      }
    }
  }

  @Test
  void burstsAreATableOfWhatStaysResidentAfterEach() throws Exception {
    assumeTrue(ResidentMemory.bytes().isPresent(), "resident memory is unknown");
    Path output = folder.resolve("page.html");
    Path json = folder.resolve("bursts.json");

    CommandRun run =
        CommandRun.of(
            new FootprintCommand(),
            "--allocator",
            "pooled,unpooled",
            "--bursts",
            "2",
            "--burst",
            "32",
            "--seconds",
            "0.1",
            "--sizes",
            "uniform 1000 9000",
            "--output",
            output.toString(),
            "--json",
            json.toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("0.1 s after each of 2 bursts of 32 MiB (uniform 1000 9000)");
    assertThat(PageReader.rows(run.out()))
        .filteredOn(row -> row.size() == 6)
        .extracting(row -> row.get(0))
        .contains("allocator", "POOLED", "UNPOOLED");
    BurstsResults results = BurstsResults.FORMAT.read(read(json));
    assertThat(results.allocators()).hasSize(2);
    assertThat(results.allocators().values())
        .as("written in a JVM of its own, where nothing else comes or goes")
        .allSatisfy(
            each -> assertThat(each.bursts().get(0).peakResident()).isGreaterThan(16 << 20));
    assertThat(results.allocators().get("POOLED").bursts())
        .as("it keeps all")
        .allSatisfy(burst -> assertThat(burst.used()).isGreaterThan(30 << 20))
        .allSatisfy(burst -> assertThat(burst.resident()).isGreaterThan(16 << 20));
    assertThat(results.allocators().get("UNPOOLED").bursts())
        .as("all buffers are released, though the C library may keep their memory resident")
        .allSatisfy(burst -> assertThat(burst.used()).isZero());
    assertThat(new BurstsReport(results).document().html())
        .as("the file makes the same page")
        .isEqualTo(Files.readString(output));
  }

  @Test
  void afterEachOfSeveralBurstsAreFourSeconds() {
    FootprintCommand command = CommandLines.parse(new FootprintCommand(), "--bursts=3");

    assertThat(command.plan().phase()).isEqualTo(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @CsvSource({
    "--threads 5 --bursts 1, --threads has no effect with --bursts",
    "--sizes 100, --sizes needs --bursts",
    "--output same --json ./same, --output and --json name the same file"
  })
  void optionsThatDoNotGoTogetherAreAnErrorBeforeAnythingIsMeasured(String options, String error) {
    CommandRun run = CommandRun.of(new FootprintCommand(), options.split(" "));

    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains(error);
  }

  @Test
  void sizesThatAreNoneAreAnErrorBeforeAnythingIsMeasured() {
    CommandRun run =
        CommandRun.of(new FootprintCommand(), "--bursts", "1", "--sizes", "large ones");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--sizes: ", "large ones", "--help");
  }

  @Test
  void wholeCommandMakesAPageAndWritesTheSamples() throws Exception {
    Path output = folder.resolve("page.html");
    Path json = folder.resolve("samples.json");

    CommandRun run =
        CommandRun.of(
            new FootprintCommand(),
            ("--allocator mimalloc --burst 4 --seconds 0.1 --threads 10 --output "
                    + output
                    + " --json "
                    + json)
                .split(" "));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("| burst ", "| MIMALLOC ", "-XX:+UseG1GC", "leakDetection.level=disabled")
        .contains(output.toString(), json.toString());
    String html = Files.readString(output);
    assertThat(PageReader.charts(html)).isNotEmpty();
    assertThat(PageReader.points(PageReader.charts(html).get(0), "MIMALLOC"))
        .hasSizeGreaterThanOrEqualTo(2 * Phase.values().length);
    FootprintResults results = FootprintResults.FORMAT.read(read(json));
    assertThat(new FootprintReport(results).document().html())
        .as("the samples make the same page")
        .isEqualTo(html);
    if (ResidentMemory.bytes().isPresent()) {
      assertThat(results.samples().get("MIMALLOC"))
          .as("what any JVM has beside its Java heap")
          .allSatisfy(sample -> assertThat(sample.resident()).isBetween(10L << 20, 1L << 30))
          .extracting(Sample::resident)
          .satisfies(resident -> assertThat(new HashSet<>(resident)).hasSizeGreaterThan(1));
    }
  }

  private static JsonElement read(Path json) throws IOException {
    return JsonParser.parseString(Files.readString(json));
  }
}
