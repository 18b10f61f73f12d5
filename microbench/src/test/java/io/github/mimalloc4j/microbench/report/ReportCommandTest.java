package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.UsageException;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportCommandTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);

  @Test
  void pageIsWrittenAndTablePrinted() throws Exception {
    Path output = folder.resolve("page.html");

    int code =
        ReportCommand.run(
            List.of(
                Stored.file("results.json").toString(),
                "--output",
                output.toString(),
                Stored.file("latency.json").toString()),
            out,
            out);

    assertThat(code).isZero();
    assertThat(shown.toString(StandardCharsets.UTF_8))
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

    assertThatThrownBy(() -> ReportCommand.run(List.of(file.toString()), out, out))
        .isInstanceOf(UsageException.class)
        .message()
        .startsWith(file.toString())
        .contains(message)
        .doesNotContain("\n");
  }

  @Test
  void filesThatAreNotThereAreExplained() {
    assertThatThrownBy(() -> ReportCommand.run(List.of("no-such.json"), out, out))
        .isInstanceOf(UsageException.class)
        .hasMessage("no-such.json does not exist");
    assertThatThrownBy(() -> ReportCommand.run(List.of(folder.toString()), out, out))
        .isInstanceOf(UsageException.class)
        .hasMessage(folder + " cannot be read");
    assertThatThrownBy(() -> ReportCommand.run(List.of(), out, out))
        .isInstanceOf(UsageException.class)
        .hasMessage("no files of results are given");
    assertThatThrownBy(() -> ReportCommand.run(List.of("a.json", "a.json"), out, out))
        .isInstanceOf(UsageException.class)
        .hasMessage("a.json is given twice");
  }

  @Test
  void binaryFilesAreExplained() throws Exception {
    Path file = folder.resolve("results.json");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

    assertThatThrownBy(() -> ReportCommand.run(List.of(file.toString()), out, out))
        .isInstanceOf(UsageException.class)
        .hasMessage(file + " cannot be read as text");
  }
}
