package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole reports of results that commands wrote in a few seconds: what is asserted follows from the
 * files. The reports of single commands have tests of their own.
 */
class CommandResultsTest {
  private static final String END_TO_END = "end-to-end.json";
  private static final String FOOTPRINT = "footprint.json";

  private static final String LOAD = ", own client, 4 connections, nio, 1 event loop";
  private static final String PLAINTEXT_LOAD = "plaintext:single" + LOAD;
  private static final String RESP_LOAD = "resp:get-set" + LOAD;

  @Test
  void whatServersDoBetterWithAnotherAllocatorStandsFirst() throws Exception {
    Document report = Reports.of(END_TO_END);

    assertThat(report.text())
        .startsWith("## Losses of MIMALLOC\n")
        .contains("JDK: 17.0.15, OpenJDK", "JVM flags: -XX:+UseG1GC -Xms256m")
        .doesNotContain("Warning", "All results");
    List<List<String>> rows = PageReader.rows(report.text());
    assertThat(rows.subList(1, 3))
        .containsExactly(
            List.of(
                "end-to-end", PLAINTEXT_LOAD, "ADAPTIVE", "requests/s", "0.326", "0.233..1.689"),
            List.of("end-to-end", PLAINTEXT_LOAD, "POOLED", "requests/s", "0.391", "0.371..0.868"));
    assertThat(rows)
        .as("where MIMALLOC does better")
        .noneMatch(row -> row.get(1).equals(RESP_LOAD) && row.get(3).equals("requests/s"));
    String html = report.html();
    assertThat(html.indexOf("<td>CPU us/request</td><td class=\"number\">0.581"))
        .isPositive()
        .isLessThan(html.indexOf("<h2>Applications under load</h2>"));
  }

  @Test
  void ratiosOfSingleOperationsAreATableLossesFirst() throws Exception {
    assertThat(PageReader.rows(Reports.of("compare.json").text()))
        .contains(
            List.of(
                "AllocateReleaseBenchmark.allocateAndRelease -p size=256",
                "256 B at once",
                "ADAPTIVE",
                "time",
                "0.750",
                "0.500..1.250"),
            List.of(
                "S4", "256 B at once", "20.0", "0.75 (0.50..1.25)", "-", "1.0 / 0.5", "0.0 / 0.0"),
            List.of(
                "S1",
                "8,192 live, direct",
                "1,020.5",
                "4.50 (4.00..5.00)",
                "0.90 (0.80..0.95)",
                "2.0 / 4.0",
                "0.3 / 8.0"))
        .as("no loss against the floor")
        .noneMatch(row -> row.contains("BARE") && row.contains("time"));
    JsonObject bars = PageReader.charts(Reports.of("compare.json").html()).get(0);
    assertThat(Reports.groups(bars)).isEqualTo("[\"8,192 live, direct\"]");
    assertThat(Reports.series(bars, "ADAPTIVE")).isEqualTo("[[0.0,4.5,4.0,5.0]]");
  }

  @Test
  void resultsOfOtherMachinesAreWarnedOf() throws Exception {
    Document report = Reports.of(END_TO_END, "latency.json", FOOTPRINT);

    assertThat(report.text())
        .startsWith("Warning: These results come from different environments. Ratios ")
        .contains(
            "Environment A: end-to-end", "Environment B: latency", "Environment C: footprint");
    assertThat(report.html())
        .contains(
            "<h2>Applications under load, environment A</h2>",
            "<h2>Memory over time, environment C</h2>");
    assertThat(PageReader.rows(report.text()))
        .as("in each row, too")
        .contains(
            List.of(
                "end-to-end",
                PLAINTEXT_LOAD + ", environment A",
                "ADAPTIVE",
                "requests/s",
                "0.326",
                "0.233..1.689"));
  }

  @Test
  void runsOfTheSameCommandAreToldApart(@TempDir Path folder) throws Exception {
    Path second = Files.copy(Stored.file(END_TO_END), folder.resolve("second.json"));

    Document report =
        new Report(ResultFiles.read(List.of(Stored.file(END_TO_END), second))).document();

    assertThat(report.html())
        .contains(
            "<h2>Applications under load, run 1</h2>",
            "<h2>Applications under load, run 2</h2>",
            "<td>" + RESP_LOAD + ", run 2</td>");
  }
}
