package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reports of stored results: the numbers asserted here follow from those in the files. */
class ReportTest {
  private static final String PATTERN = "AllocationPattern.replaceRandomSlot";

  @Test
  void ratiosAreMediansOfAllPairsOfForks() throws Exception {
    // Forks of 10, 20, 40 and of 80, 100, 120: ratios 2, 2.5, 3, 4, 5, 6, 8, 10, 12.
    assertThat(PageReader.rows(Reports.of("results.json").text()))
        .contains(
            List.of(PATTERN, "live=8192", "MIMALLOC", "20.0 ns/op", "-", "-", "-", "22.0", "1.10"),
            List.of(
                "", "", "ADAPTIVE", "100.0 ns/op", "5.00", "2.00..12.00", "5.00", "30.0", "1.50"));
  }

  @Test
  void ratiosOfThroughputsAreTheInverse() throws Exception {
    // 40 and 20 against 10 and 10.
    assertThat(PageReader.rows(Reports.of("results.json").text()))
        .contains(
            List.of(
                "Server.successors",
                "1 thread",
                "MIMALLOC",
                "30.0 ops/us",
                "-",
                "-",
                "-",
                "-",
                "-"),
            List.of("", "", "OtherAllocator", "10.0 ops/us", "3.00", "2.00..4.00", "-", "-", "-"));
  }

  @Test
  void oneForkCountsByIterationsAndIsSaid() throws Exception {
    String text = Reports.of("results.json").text();

    // Means of the samples: 20 and 20 against 60 and 30.
    assertThat(PageReader.rows(text))
        .contains(List.of("", "", "ADAPTIVE", "45.0 ns/op", "2.25", "1.50..3.00", "-", "-", "-"));
    assertThat(text).contains("have only one fork").contains("JVMs: Sampled.call.");
  }

  @Test
  void whatComesOutAgainstUsIsListedFirstButTheFloorIsNot() throws Exception {
    Document report = Reports.of("results.json");

    String text = report.text();
    assertThat(text).startsWith("## Losses of MIMALLOC\n");
    assertThat(PageReader.rows(text).subList(1, 3))
        .containsExactly(
            List.of(PATTERN, "live=128", "POOLED", "used memory", "0.500", "0.500..0.500"),
            List.of(PATTERN, "live=128", "POOLED", "time", "0.800", "0.400..1.600"));
    assertThat(PageReader.rows(text))
        .contains(List.of("", "", "BARE", "1.5 ns/op", "0.10", "0.05..0.20", "-", "-", "-"));
    assertThat(text).contains("BARE is not an allocator");
    String html = report.html();
    assertThat(html.indexOf("<h2>Losses of MIMALLOC")).isLessThan(html.indexOf("<h2>Time"));
  }

  @Test
  void nothingAgainstUsIsSaid() throws Exception {
    Document report = Reports.of("sizes.json");

    String none = "No other allocator did better than MIMALLOC in these results.";
    assertThat(report.text()).startsWith("## Losses of MIMALLOC\n\n" + none);
    assertThat(report.html()).contains("<p>" + none + "</p>");
  }

  @Test
  void repeatedResultsJoinTheirForksAndOtherFilesAddAllocators() throws Exception {
    // 60 and 120 against 10, 20, 40.
    assertThat(PageReader.rows(Reports.of("results.json", "more-forks.json").text()))
        .contains(List.of("", "", "POOLED", "90.0 ns/op", "4.50", "1.50..12.00", "-", "-", "-"));
    assertThat(Reports.of("results.json", "more-forks.json").text()).doesNotContain("Warning");
  }

  @Test
  void differentEnvironmentsAreWarnedOfAndNotCompared() throws Exception {
    Document report = Reports.of("results.json", "other-jdk.json");

    String text = report.text();
    assertThat(text)
        .startsWith("Warning: These results come from different environments: JDK 17.0.1 (Test VM")
        .contains(" / 25.0.1 (Test VM 25.0.1+1)")
        .contains("Netty 4.2.12.Final / unknown")
        .contains("JVM flags of " + PATTERN)
        .contains("Environment B: " + PATTERN, "JVM flags: -XX:+UseG1GC -Xmx1g");
    assertThat(PageReader.rows(text))
        .contains(
            List.of(
                PATTERN,
                "live=8192, environment B",
                "MIMALLOC",
                "5.0 ns/op",
                "-",
                "-",
                "-",
                "-",
                "-"),
            List.of("", "", "ADAPTIVE", "15.0 ns/op", "3.00", "3.00..3.00", "-", "-", "-"),
            List.of(
                "", "", "ADAPTIVE", "100.0 ns/op", "5.00", "2.00..12.00", "5.00", "30.0", "1.50"));
    assertThat(report.html()).contains("<p class=\"warning\">These results come from");
  }

  @Test
  void oneEnvironmentIsShownWithoutLetters() throws Exception {
    assertThat(Reports.of("results.json").text())
        .contains("JDK: 17.0.1, Test VM 17.0.1+1", "CPU: Some CPU, 4 processors")
        .contains("Netty: 4.2.12.Final", "JVM flags: -XX:+UseG1GC")
        .doesNotContain("environment A", "Environment A", "Warning");
  }

  @Test
  void barsShowTheRatiosWithTheirSpread() throws Exception {
    JsonObject bars = PageReader.charts(Reports.of("results.json").html()).get(0);

    assertThat(Reports.groups(bars)).isEqualTo("[\"live=8192\",\"live=128\"]");
    assertThat(Reports.series(bars, "ADAPTIVE")).isEqualTo("[[0.0,5.0,2.0,12.0]]");
    assertThat(Reports.series(bars, "ADAPTIVE")).isEqualTo("[[0.0,5.0,2.0,12.0]]");
    assertThat(Reports.series(bars, "POOLED")).isEqualTo("[[1.0,0.8,0.4,1.6]]");
  }

  @Test
  void threadsAreAnAxisOfThroughput() throws Exception {
    JsonObject chart = chart("results.json", "threads").orElseThrow();

    assertThat(Reports.series(chart, "MIMALLOC"))
        .isEqualTo("[[1.0,30.0,20.0,40.0],[2.0,80.0,80.0,80.0]]");
    assertThat(Reports.series(chart, "OtherAllocator"))
        .isEqualTo("[[1.0,10.0,10.0,10.0],[2.0,16.0,16.0,16.0]]");
    assertThat(chart("sizes.json", "threads")).isEmpty();
  }

  @Test
  void threadsThatABenchmarkStartsAreAnAxis() throws Exception {
    JsonObject chart = chart("workers.json", "workers").orElseThrow();

    assertThat(PageReader.axis(chart, "y")).isEqualTo("ns/op");
    assertThat(Reports.series(chart, "MIMALLOC"))
        .isEqualTo("[[1.0,20.0,10.0,30.0],[4.0,25.0,25.0,25.0]]");
    assertThat(Reports.series(chart, "POOLED"))
        .isEqualTo("[[1.0,40.0,40.0,40.0],[4.0,60.0,50.0,70.0]]");
    String html = Reports.of("workers.json").html();
    assertThat(html)
        .contains("<h2>By number of threads</h2>", "Some benchmarks start their own threads")
        .contains("<figcaption>LarsonServer.generation, threads=EVENT_LOOP</figcaption>")
        .as("no line goes through one point, or over words")
        .doesNotContain("<figcaption>LarsonServer.generation, threads=PLAIN</figcaption>")
        .doesNotContain("<figcaption>LarsonServer.generation, workers=4</figcaption>");
    assertThat(chart("results.json", "workers")).isEmpty();
    assertThat(Reports.of("results.json").html()).doesNotContain("start their own threads");
  }

  @Test
  void manySizesAreALogarithmicAxis() throws Exception {
    JsonObject ratios = chart("sizes.json", "size").orElseThrow();

    assertThat(ratios.getAsJsonObject("x").get("scale").getAsString()).isEqualTo("BYTES");
    // 2 and 3 against 1 and 1.5, times the same root of the size.
    String point = "2.0,1.3333333333333333,3.0]";
    assertThat(Reports.series(ratios, "ADAPTIVE")).startsWith("[[16.0," + point + ",[256.0,");
    JsonObject times = PageReader.charts(Reports.of("sizes.json").html()).get(1);
    assertThat(Reports.series(times, "MIMALLOC"))
        .isEqualTo(
            "[[16.0,5.0,4.0,6.0],[256.0,20.0,16.0,24.0],[4096.0,80.0,64.0,96.0],"
                + "[65536.0,320.0,256.0,384.0]]");
    assertThat(chart("results.json", "size")).as("no sizes, no chart").isEmpty();
  }

  @Test
  void memoryStandsBesideSpeed() throws Exception {
    String html = Reports.of("results.json").html().replace(" class=\"number\"", "");

    assertThat(html)
        .contains("<h2>Memory and speed</h2>")
        .contains(
            "<td>MIMALLOC</td><td>-</td><td>22.0</td><td>20.0</td><td>1.10</td><td>300.0</td>"
                + "<td>1.0</td><td>0.5</td>")
        .contains(
            "<td>ADAPTIVE</td><td>5.00</td><td>30.0</td><td>20.0</td><td>1.50</td><td>-</td>"
                + "<td>-</td><td>-</td>");
    assertThat(Reports.of("sizes.json").html()).doesNotContain("Memory and speed");
  }

  @Test
  void latenciesAreTablesAndLines() throws Exception {
    Document report = Reports.of("latency.json");

    String text = report.text();
    assertThat(PageReader.rows(text))
        .contains(
            List.of("allocate", "MIMALLOC", "60", "120", "180", "240", "5,000", "-", "50,000"),
            List.of("", "ADAPTIVE", "240", "480", "720", "960", "4,000", "-", "40,000"),
            // Slowest of the rounds: 40,000 to 50,000 and 20,000 to 25,000.
            List.of("latency", "allocate", "ADAPTIVE", "time, max", "0.800", "0.800..0.800"));
    assertThat(text).contains("24.6 ns", "10 ns", "ADAPTIVE 3", "10,000, in 2 JVMs");
    List<JsonObject> charts = PageReader.charts(report.html());
    assertThat(charts).hasSize(2);
    assertThat(Reports.series(charts.get(1), "MIMALLOC"))
        .startsWith("[[2.0,60.0,50.0,70.0],[10.0,120.0,120.0,120.0],")
        .endsWith("[10000.0,50000.0,25000.0,50000.0]]");
    assertThat(Reports.series(charts.get(1), "FLOOR")).isNotEmpty();
  }

  @Test
  void pageLoadsNothingFromElsewhere() throws Exception {
    String html =
        Reports.of(
                "results.json", "sizes.json", "latency.json", "end-to-end.json", "footprint.json")
            .html();

    assertThat(html.replaceAll("(?s)<script[^>]*>.*?</script>", ""))
        .doesNotContain("<link", "<img", "<iframe", "src=", "href=", "@import", "url(")
        .contains("Content-Security-Policy", "default-src 'none'");
  }

  private static Optional<JsonObject> chart(String file, String axis) throws IOException {
    return PageReader.charts(Reports.of(file).html()).stream()
        .filter(c -> PageReader.axis(c, "x").equals(axis))
        .findFirst();
  }
}
