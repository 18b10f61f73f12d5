package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportCommandTest {
  @TempDir private Path folder;

  @Test
  void pageIsWrittenAndTablePrinted() throws Exception {
    Path output = folder.resolve("page.html");

    CommandRun run =
        run(
            Stored.file("results.json").toString(),
            "--output",
            output.toString(),
            Stored.file("latency.json").toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("| benchmark ", "| allocate ", "The same with charts: " + output);
    assertThat(PageReader.charts(Files.readString(output))).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | is empty; JMH writes its results when all is done",
        "hello | holds neither results of JMH (-rf json) nor of latency, end-to-end or",
        "{\"a\": | is no JSON: End of input at line 1 column 6 path $.a",
        "{\"a\": 1} | holds neither results of JMH (-rf json) nor of latency, end-to-end or",
        "[1] | holds neither results of JMH (-rf json) nor of latency, end-to-end or",
        "[{\"benchmark\": \"a.B.c\"}] | holds neither results of JMH (-rf json) nor",
        "[] | holds no results",
        "{\"format\": \"mimalloc4j latency 1\"} | is damaged: something is missing in it, or wrong",
        "{\"format\": \"mimalloc4j end-to-end 1\"} | is damaged: something is missing in it, or",
        "{\"format\": \"mimalloc4j end-to-end 1\", \"rounds\": []} | no rounds in it",
        "{\"format\": \"mimalloc4j end-to-end 1\", \"rounds\": [{\"round\": 1, \"allocator\": \"x\"}]}"
            + " | is damaged: something is missing in it, or wrong",
        "{\"format\": 1, \"rounds\": []} | holds neither results of JMH (-rf json) nor",
        "{\"format\": \"mimalloc4j footprint 1\"} | is damaged: something is missing in it, or wrong",
        "{\"format\": \"mimalloc4j footprint 1\", \"samples\": {}} | no samples in it",
        "{\"format\": \"mimalloc4j footprint 1\", \"samples\": {\"POOLED\": [[1, \"BURST\"]]}}"
            + " | is damaged: something is missing in it, or wrong",
        "{\"format\": \"mimalloc4j footprint 1\", \"samples\": {\"POOLED\": []}, \"plan\": "
            + "{\"burstBytes\": 1, \"phaseMillis\": 1, \"threads\": 1}}"
            + " | is damaged: something is missing in it, or wrong",
        "{\"format\": \"mimalloc4j latency 2\"} | holds neither results of JMH (-rf json) nor",
        "[{\"benchmark\": \"a.B.c\", \"primaryMetric\": {}}] | no benchmark in it has the parameter",
        "[{\"benchmark\": \"a.B.c\", \"params\": {\"allocator\": \"x\"}, \"primaryMetric\": {}}] | "
            + "a.B.c has no rawData",
        "[{\"benchmark\": \"a.B.c\", \"params\": {\"allocator\": \"x\"}, \"primaryMetric\": "
            + "{\"scoreUnit\": \"ns/op\", \"rawData\": [[\"NaN\"]]}}] | a.B.c has no measurements",
        "[{\"benchmark\": \"a.B.c\", \"params\": {\"allocator\": \"x\"}, \"primaryMetric\": "
            + "{\"scoreUnit\": \"ns/op\", \"rawData\": [[1]]}}] | is damaged",
      })
  void foreignAndBrokenFilesAreExplainedInOneLine(String content, String message) throws Exception {
    Path file = folder.resolve("results.json");
    Files.writeString(file, content);

    assertExplained(run(file.toString()), file.toString(), message);
  }

  @Test
  void filesThatAreNotThereAreExplained() {
    assertExplained(run("no-such.json"), "no-such.json does not exist");
    assertExplained(run(folder.toString()), folder + " cannot be read");
    assertExplained(run(), "no files of results are given");
    assertExplained(run("a.json", "a.json"), "a.json is given twice");
  }

  @Test
  void binaryFilesAreExplained() throws Exception {
    Path file = folder.resolve("results.json");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

    assertExplained(run(file.toString()), file + " cannot be read as text");
  }

  private static CommandRun run(String... args) {
    return CommandRun.of(new ReportCommand(), args);
  }

  private static void assertExplained(CommandRun run, String... parts) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors())
        .singleElement()
        .asString()
        .startsWith("report: " + parts[0])
        .contains(parts);
  }
}
