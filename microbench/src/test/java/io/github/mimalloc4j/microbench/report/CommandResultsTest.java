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

  @Test
  void requestsProcessorTimeLatencyAndMemoryOfAServerAreATable() throws Exception {
    String text = Reports.of(END_TO_END).text();

    assertThat(PageReader.rows(text))
        .contains(
            List.of("requests/s", "MIMALLOC", "9328", "4801..11924", "-", "-"),
            List.of("", "ADAPTIVE", "7706", "5271..11314", "1.05", "0.91..1.21"),
            List.of("CPU us/request", "MIMALLOC", "114.71", "99.38..165.59", "-", "-"),
            List.of("", "POOLED", "125.40", "83.22..139.59", "0.84", "0.84..1.09"),
            List.of("p99.9 us", "MIMALLOC", "20143", "17903..48639", "-", "-"),
            List.of("used MiB", "MIMALLOC", "2.8", "2.8..2.8", "-", "-"),
            List.of("", "POOLED", "16.0", "16.0..16.0", "5.82", "5.82..5.82"));
    assertThat(text)
        .contains("## An HTTP server under load\n", "Load: own, 16 connections; GET /plaintext")
        .contains("Unsteady: MIMALLOC: CPU of a request changed by -40 %")
        .contains("JDK: 17.0.15, OpenJDK", "JVM flags: -XX:+UseG1GC -Xms256m")
        .doesNotContain("Warning", "All results");
  }

  @Test
  void whatAServerDoesBetterWithAnotherAllocatorStandsFirst() throws Exception {
    Document report = Reports.of(END_TO_END);

    String load = "own, 16 connections";
    assertThat(report.text()).startsWith("## Against MIMALLOC\n");
    List<List<String>> rows = PageReader.rows(report.text());
    assertThat(rows.subList(1, 4))
        .containsExactly(
            List.of("end-to-end", load, "ADAPTIVE", "used MiB", "0.614", "0.591..0.614"),
            List.of("end-to-end", load, "POOLED", "CPU us/request", "0.843", "0.837..1.093"),
            List.of("end-to-end", load, "POOLED", "requests/s", "0.863", "0.596..1.170"));
    assertThat(rows)
        .as("where MIMALLOC does better")
        .noneMatch(row -> row.get(0).equals("end-to-end") && row.get(3).equals("p99.9 us"));
    String html = report.html();
    assertThat(html.indexOf("<td>CPU us/request</td><td class=\"number\">0.843"))
        .isPositive()
        .isLessThan(html.indexOf("<h2>An HTTP server under load</h2>"));
  }

  @Test
  void ratiosOfAServerAreBarsWithTheirSpread() throws Exception {
    List<JsonObject> charts = PageReader.charts(Reports.of(END_TO_END).html());

    assertThat(charts).as("speed, and memory").hasSize(2);
    assertThat(Reports.groups(charts.get(0)))
        .isEqualTo(
            "[\"requests/s, inverse\",\"CPU us/request\",\"p50 us\",\"p90 us\",\"p99 us\","
                + "\"p99.9 us\"]");
    assertThat(Reports.series(charts.get(0), "POOLED"))
        .startsWith("[[0.0,0.86286996")
        .contains(",[1.0,0.84296394621");
    assertThat(Reports.groups(charts.get(1))).isEqualTo("[\"used MiB\",\"resident MiB\"]");
    assertThat(Reports.series(charts.get(1), "ADAPTIVE"))
        .startsWith("[[0.0,0.6136363636363636,0.5909090909090909,0.6136363636363636],");
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
            "used memory at its end",
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
                "resident memory at its end",
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
  void resultsOfOtherMachinesAreWarnedOf() throws Exception {
    Document report = Reports.of(END_TO_END, "latency.json", FOOTPRINT);

    assertThat(report.text())
        .startsWith("Warning: These results come from different environments: JDK ")
        .contains(
            "Environment A: end-to-end", "Environment B: latency", "Environment C: footprint");
    assertThat(report.html())
        .contains(
            "<h2>An HTTP server under load, environment A</h2>",
            "<h2>Memory over time, environment C</h2>");
    assertThat(PageReader.rows(report.text()))
        .as("in each row, too")
        .contains(
            List.of(
                "end-to-end",
                "own, 16 connections, environment A",
                "ADAPTIVE",
                "used MiB",
                "0.614",
                "0.591..0.614"));
  }

  @Test
  void runsOfTheSameCommandAreToldApart(@TempDir Path folder) throws Exception {
    Path second = Files.copy(Stored.file(END_TO_END), folder.resolve("second.json"));

    Document report =
        new Report(ResultFiles.read(List.of(Stored.file(END_TO_END), second))).document();

    assertThat(report.html())
        .contains(
            "<h2>An HTTP server under load, run 1</h2>",
            "<h2>An HTTP server under load, run 2</h2>",
            "<td>own, 16 connections, run 2</td>");
  }
}
