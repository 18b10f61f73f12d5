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
 * Reports of results that the commands {@code end-to-end} and {@code footprint} wrote in a few
 * seconds: what is asserted follows from the files.
 */
class CommandResultsTest {
  private static final String END_TO_END = "end-to-end.json";
  private static final String FOOTPRINT = "footprint.json";

  private static final String PLAINTEXT = "plaintext:single";
  private static final String RESP = "resp:get-set";
  private static final String LOAD = ", own client, 4 connections, nio, 1 event loop";
  private static final String PLAINTEXT_LOAD = PLAINTEXT + LOAD;
  private static final String RESP_LOAD = RESP + LOAD;

  @Test
  void requestsProcessorTimeLatencyAndMemoryOfServersAreATable() throws Exception {
    String text = Reports.of(END_TO_END).text();

    assertThat(PageReader.rows(text))
        .contains(
            List.of(PLAINTEXT, "requests/s", "MIMALLOC", "4621", "3315..9273", "-", "-"),
            List.of("", "", "ADAPTIVE", "10179", "5490..19819", "0.33", "0.23..1.69"),
            List.of(RESP, "CPU us/request", "MIMALLOC", "11.37", "10.45..22.61", "-", "-"),
            List.of("", "", "POOLED", "25.93", "9.72..54.83", "2.43", "0.85..2.48"),
            List.of(PLAINTEXT, "p99.9 us", "MIMALLOC", "74842", "40567..280756", "-", "-"),
            List.of(RESP, "used MiB", "MIMALLOC", "0.5", "0.5..1.5", "-", "-"),
            List.of("", "", "POOLED", "4.0", "4.0..4.0", "8.00", "2.67..8.00"));
    assertThat(text)
        .contains("## Applications under load\n", "- " + RESP_LOAD + ": SET and GET of 32 B")
        .contains("plaintext:single: at the fixed rate, the client itself was late by 36372 us")
        .contains("JDK: 17.0.15, OpenJDK", "JVM flags: -XX:+UseG1GC -Xms256m")
        .doesNotContain("Warning", "All results");
  }

  @Test
  void whatServersDoBetterWithAnotherAllocatorStandsFirst() throws Exception {
    Document report = Reports.of(END_TO_END);

    assertThat(report.text()).startsWith("## Losses of MIMALLOC\n");
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
  void ratiosOfServersAreBarsWithTheirSpread() throws Exception {
    List<JsonObject> charts = PageReader.charts(Reports.of(END_TO_END).html());

    assertThat(charts).as("CPU, latency, used and resident memory").hasSize(4);
    assertThat(charts)
        .allSatisfy(
            chart ->
                assertThat(Reports.groups(chart))
                    .isEqualTo("[\"plaintext:single\",\"resp:get-set\"]"));
    assertThat(Reports.series(charts.get(0), "POOLED"))
        .startsWith("[[0.0,0.633")
        .contains(",[1.0,2.425");
    assertThat(Reports.series(charts.get(2), "ADAPTIVE")).startsWith("[[0.0,7.0,2.5,7.0],");
  }

  @Test
  void memoryOverTimeIsTablesAndLines() throws Exception {
    Document report = Reports.of(FOOTPRINT);

    assertThat(PageReader.rows(report.text()))
        .contains(
            List.of("MIMALLOC", "211.4", "211.5", "24.7", "238.1", "13.6", "1.46", "72.89"),
            List.of("burst", "MIMALLOC", "24.7", "16.9", "24.7", "-", "211.4"),
            List.of("", "ADAPTIVE", "19.6", "16.9", "4.3", "-", "194.4"));
    assertThat(report.text())
        .contains("## Memory over time\n", "Burst: 16 MiB; each phase: 0.2 s")
        .contains("JVM flags: -XX:+UseG1GC -Xms128m");
    List<JsonObject> charts = PageReader.charts(report.html());
    assertThat(charts).as("used, resident and one for each allocator").hasSize(5);
    assertThat(charts).allSatisfy(chart -> assertThat(PageReader.bands(chart)).hasSize(10));
    assertThat(PageReader.legend(charts.get(0)))
        .containsExactly("live", "MIMALLOC", "ADAPTIVE", "POOLED");
    assertThat(PageReader.points(charts.get(0), "POOLED"))
        .startsWith(List.of(0.0, 0.0), List.of(0.05, 0.0), List.of(0.1, 16.0));
    assertThat(PageReader.points(charts.get(1), "POOLED"))
        .startsWith(List.of(0.0, 183.21), List.of(0.05, 183.87));
    assertThat(PageReader.legend(charts.get(4))).containsExactly("live", "resident", "used");
  }

  @Test
  void memoryThatAnotherAllocatorDoesNotHoldStandsFirst() throws Exception {
    Document report = Reports.of(FOOTPRINT);

    List<List<String>> rows = PageReader.rows(report.text());
    assertThat(rows.get(1))
        .containsExactly(
            "footprint",
            "idle after the burst",
            "ADAPTIVE",
            "used memory at the end",
            "0.174",
            "0.174..0.174");
    assertThat(rows)
        .contains(
            List.of(
                "footprint", "burst", "ADAPTIVE", "peak of used memory", "0.796", "0.796..0.796"),
            List.of(
                "footprint",
                "idle after the churn",
                "POOLED",
                "resident memory at the end",
                "0.981",
                "0.981..0.981"))
        .as("where MIMALLOC holds less")
        .noneMatch(row -> row.subList(0, 3).equals(List.of("footprint", "burst", "POOLED")));
    String html = report.html();
    assertThat(html.indexOf("<td>peak of used memory</td>"))
        .isPositive()
        .isLessThan(html.indexOf("<h2>Memory over time</h2>"));
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
            List.of("S4", "256 B at once", "20.0", "0.75 (0.50..1.25)", "-", "1.0 / 0.5", "0.0"),
            List.of(
                "S1",
                "8,192 live, direct",
                "1,020.5",
                "4.50 (4.00..5.00)",
                "0.90 (0.80..0.95)",
                "2.0 / 4.0",
                "0.3"))
        .as("no loss against the floor")
        .noneMatch(row -> row.contains("BARE") && row.contains("time"));
  }

  @Test
  void memoryAfterBurstsIsATable() throws Exception {
    assertThat(PageReader.rows(Reports.of("bursts.json").text()))
        .contains(
            List.of("MIMALLOC", "500", "5", "20", "4.0", "1.0"),
            List.of("POOLED", "500", "100", "450", "90.0", "1.0"));
  }

  @Test
  void resultsOfOtherMachinesAreWarnedOf() throws Exception {
    Document report = Reports.of(END_TO_END, "latency.json", FOOTPRINT);

    assertThat(report.text())
        .startsWith("Warning: These results come from different environments: JDK ")
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
