package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports of stored results: the numbers asserted here follow from those in the files. */
class ReportTest {
  private static final String PATTERN = "AllocationPattern.replaceRandomSlot";

  @Test
  void ratiosAreMediansOfAllPairsOfForks() throws Exception {
    // Forks of 10, 20, 40 and of 80, 100, 120: ratios 2, 2.5, 3, 4, 5, 6, 8, 10, 12.
    assertThat(PageReader.rows(Reports.of("results.json").text()))
        .contains(
            List.of(
                "benchmark",
                "parameters",
                "ns",
                "ADAPTIVE",
                "POOLED",
                "BARE",
                "org.example.OtherAllocator",
                "used MiB",
                "garbage B"),
            List.of(
                PATTERN,
                "live=8192",
                "20.0",
                "5.00 (2.00..12.00)",
                "-",
                "-",
                "-",
                "22.0 / 30.0 / - / -",
                "0.5 / - / - / -"));
  }

  @Test
  void throughputsAreShownAsTimes() throws Exception {
    // 25 and 50 against 100 and 100.
    assertThat(PageReader.rows(Reports.of("results.json").text()))
        .contains(
            List.of(
                "Server.successors",
                "number of threads=1",
                "37.5",
                "-",
                "-",
                "-",
                "3.00 (2.00..4.00)",
                "-",
                "-"));
  }

  @Test
  void resultsWithoutOursAreComparedWithNothing() throws Exception {
    String text = Reports.of("more-forks.json").text();

    assertThat(text).contains("These results have nothing to compare MIMALLOC with.");
  }

  @Test
  void oneForkCountsByIterationsAndIsSaid() throws Exception {
    String text = Reports.of("results.json").text();

    // 60 and 30 against 20 and 20; nothing tells it from others, so all of it is shown.
    assertThat(PageReader.rows(text))
        .contains(
            List.of(
                "Once.call",
                "mode=avgt, number of threads=1",
                "20.0",
                "2.25 (1.50..3.00)",
                "-",
                "-",
                "-",
                "-",
                "-"));
    assertThat(text).contains("have only one fork").contains("JVMs: Once.call.");
  }

  @Test
  void whatComesOutAgainstUsIsListedFirstButTheFloorIsNot() throws Exception {
    Document report = Reports.of("results.json");

    String text = report.text();
    assertThat(text).startsWith("## Losses of MIMALLOC\n");
    List<List<String>> rows = PageReader.rows(text);
    assertThat(rows.get(1))
        .isEqualTo(List.of(PATTERN, "live=128", "POOLED", "used memory", "0.500", "-"));
    assertThat(rows.get(2))
        .isEqualTo(List.of(PATTERN, "live=128", "POOLED", "time", "0.800", "0.400..1.600"));
    assertThat(rows.get(3).get(0)).as("no other loss").isEqualTo("benchmark");
    assertThat(rows.get(4))
        .as("the lowest ratio first")
        .containsExactly(
            PATTERN,
            "live=128",
            "15.0",
            "-",
            "0.80 (0.40..1.60)",
            "0.10 (0.05..0.20)",
            "-",
            "1.0 / - / 0.5 / -",
            "-");
    assertThat(text).contains("BARE is not an allocator");
    assertThat(Reports.of("sizes.json").text()).doesNotContain("BARE");
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
    Document report = Reports.of("results.json", "more-forks.json");

    // 60 and 120 against 10, 20, 40.
    assertThat(PageReader.rows(report.text()))
        .anySatisfy(
            row ->
                assertThat(row)
                    .startsWith(PATTERN, "live=8192", "20.0")
                    .contains("5.00 (2.00..12.00)", "4.50 (1.50..12.00)"));
    assertThat(report.text()).doesNotContain("Warning", "that add forks");
    assertThat(Reports.of("results.json", "results.json").text())
        .as("twice as many forks")
        .doesNotContain("only one fork")
        .contains("5.00 (2.00..12.00)")
        .contains("Results of results.json that add forks to those of other files,");
  }

  @Test
  void resultsWithoutAnAllocatorAreCounted(@TempDir Path folder) throws Exception {
    String results = Files.readString(Stored.file("results.json"));
    Path other = folder.resolve("other.json");
    Files.writeString(other, results.replaceFirst("\"allocator\"", "\"other\""));

    assertThat(Reports.of("results.json").text()).contains("without an allocator, left out: 1.");
    assertThat(textOf(other)).contains("Results of other.json without an allocator, left out: 2.");
    assertThat(Reports.of("sizes.json").text()).doesNotContain("left out");
  }

  @Test
  void resultsAfterAnotherWarmUpAreNotJoined(@TempDir Path folder) throws Exception {
    String results = Files.readString(Stored.file("results.json"));
    List<Path> files = new ArrayList<>();
    for (String warmUps : List.of("0", "5")) {
      String times = "\"warmupIterations\": " + warmUps + ", \"warmupTime\": \"1 s\", ";
      Path file = folder.resolve(warmUps + ".json");
      files.add(Files.writeString(file, results.replace("\"threads\"", times + "\"threads\"")));
    }

    assertThat(PageReader.rows(textOf(files.get(0))))
        .anySatisfy(row -> assertThat(row).startsWith(PATTERN, "live=8192", "20.0"));
    assertThat(PageReader.rows(textOf(files.get(0), files.get(1))))
        .anySatisfy(row -> assertThat(row).startsWith(PATTERN, "live=8192, warm-up=0 * 1 s"))
        .anySatisfy(row -> assertThat(row).startsWith(PATTERN, "live=8192, warm-up=5 * 1 s"))
        .noneSatisfy(row -> assertThat(row).startsWith(PATTERN, "live=8192"));
  }

  /** As on JMH's command line, where either is understood. */
  @Test
  void namesInSmallLettersAreTheSameAllocators(@TempDir Path folder) throws Exception {
    Path small = folder.resolve("small.json");
    String results = Files.readString(Stored.file("results.json"));
    Files.writeString(small, results.replace("\"MIMALLOC\"", "\"mimalloc\""));

    assertThat(new Report(ResultFiles.read(List.of(small))).document().text())
        .isEqualTo(Reports.of("results.json").text().replace("of results.json", "of small.json"));
  }

  @Test
  void timesWithoutOursToCompareThemWithAreShown() throws Exception {
    Document report = Reports.of("more-forks.json");

    assertThat(PageReader.rows(report.text()))
        .contains(
            List.of(
                PATTERN,
                "kind=DIRECT, live=8192, mode=avgt, number of threads=1, touch=false",
                "-",
                "90.0 ns",
                "-",
                "-"));
    assertThat(PageReader.charts(report.html())).isEmpty();
  }

  @Test
  void differentEnvironmentsAreWarnedOfAndNotCompared() throws Exception {
    Document report = Reports.of("results.json", "other-jdk.json");

    String text = report.text();
    assertThat(text)
        .startsWith("Warning: These results come from different environments. Ratios are taken")
        .contains("Environment B: " + PATTERN, "JVM flags: -XX:+UseG1GC -Xmx1g");
    assertThat(PageReader.rows(text))
        .contains(
            List.of(
                PATTERN,
                "environment=B, live=8192",
                "5.0",
                "3.00 (3.00..3.00)",
                "-",
                "-",
                "-",
                "-",
                "-"))
        .anySatisfy(
            row ->
                assertThat(row)
                    .startsWith(PATTERN, "environment=A, live=8192", "20.0", "5.00 (2.00..12.00)"));
    assertThat(report.html()).contains("<p class=\"warning\">These results come from");
  }

  @Test
  void otherFlagsOfTheSameBenchmarkAreWarnedOf(@TempDir Path folder) throws Exception {
    String more = Files.readString(Stored.file("more-forks.json"));
    Path other = folder.resolve("other-flags.json");
    Files.writeString(other, more.replace("-XX:+UseG1GC", "-XX:+UseSerialGC"));
    Path otherBenchmark = folder.resolve("other-benchmark.json");
    Files.writeString(
        otherBenchmark,
        more.replace("-XX:+UseG1GC", "-XX:+UseSerialGC").replace("AllocationPattern", "Different"));

    assertThat(textOf(Stored.file("results.json"), other))
        .startsWith("Warning: ")
        .contains("environment=B, live=8192");
    assertThat(textOf(Stored.file("results.json"), otherBenchmark))
        .doesNotContain("Warning", "environment=")
        .contains("Environment B: Different.replaceRandomSlot");
  }

  @Test
  void oneEnvironmentIsShownWithoutLetters() throws Exception {
    assertThat(Reports.of("results.json").text())
        .contains("JDK: 17.0.1, Test VM 17.0.1+1", "CPU: Some CPU, 4 processors")
        .contains("Netty: 4.2.12.Final", "JVM flags: -XX:+UseG1GC")
        .doesNotContain("environment=A", "Environment A", "Warning");
  }

  @Test
  void barsShowTheRatiosWithTheirSpread() throws Exception {
    JsonObject bars = PageReader.charts(Reports.of("results.json").html()).get(0);

    assertThat(Reports.groups(bars)).isEqualTo("[\"live=8192\",\"live=128\"]");
    assertThat(Reports.series(bars, "ADAPTIVE")).isEqualTo("[[0.0,5.0,2.0,12.0]]");
    assertThat(Reports.series(bars, "POOLED")).isEqualTo("[[1.0,0.8,0.4,1.6]]");
    assertThat(PageReader.legend(bars)).doesNotContain("MIMALLOC");
  }

  @Test
  void threeNumbersOfThreadsAreAnAxis() throws Exception {
    JsonObject chart = chart(Reports.of("results.json"), "number of threads").orElseThrow();

    assertThat(Reports.series(chart, "org.example.OtherAllocator"))
        .isEqualTo("[[1.0,3.0,2.0,4.0],[2.0,5.0,5.0,5.0],[8.0,4.0,4.0,4.0]]");
    assertThat(chart(Reports.of("sizes.json"), "number of threads")).isEmpty();
  }

  @Test
  void filesOfDifferentNumbersOfThreadsMakeOnePage(@TempDir Path folder) throws Exception {
    String pattern = Files.readString(Stored.file("other-jdk.json"));
    List<Path> files = new ArrayList<>();
    for (int threads : new int[] {1, 8, 32}) {
      Path file = folder.resolve("pattern-" + threads + ".json");
      Files.writeString(file, pattern.replace("\"threads\": 1", "\"threads\": " + threads));
      files.add(file);
    }

    Document report = new Report(ResultFiles.read(files)).document();

    JsonObject chart = chart(report, "number of threads").orElseThrow();
    assertThat(Reports.series(chart, "ADAPTIVE"))
        .isEqualTo("[[1.0,3.0,3.0,3.0],[8.0,3.0,3.0,3.0],[32.0,3.0,3.0,3.0]]");
    assertThat(report.text()).contains("number of threads=32").doesNotContain("Warning");
  }

  @Test
  void manySizesAreALogarithmicAxis() throws Exception {
    JsonObject ratios = chart(Reports.of("sizes.json"), "size").orElseThrow();

    assertThat(ratios.getAsJsonObject("x").get("scale").getAsString()).isEqualTo("BYTES");
    // 2 and 3 against 1 and 1.5, times the same root of the size.
    String point = "2.0,1.3333333333333333,3.0]";
    assertThat(Reports.series(ratios, "ADAPTIVE")).startsWith("[[16.0," + point + ",[256.0,");
    assertThat(chart(Reports.of("results.json"), "size")).as("no sizes, no chart").isEmpty();
  }

  @Test
  void whatHasNoPlaceOnTheAxisAreBars(@TempDir Path folder) throws Exception {
    String sizes = Files.readString(Stored.file("sizes.json"));
    Path file = folder.resolve("words.json");
    Files.writeString(file, sizes.replace("\"size\": \"65536\"", "\"size\": \"MIXED\""));

    String html = new Report(ResultFiles.read(List.of(file))).document().html();

    List<JsonObject> charts = PageReader.charts(html);
    assertThat(charts).hasSize(2);
    assertThat(Reports.groups(charts.get(0))).isEqualTo("[\"size=MIXED\"]");
    assertThat(PageReader.points(charts.get(1), "ADAPTIVE")).hasSize(3);
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
            List.of("latency", "allocate", "ADAPTIVE", "time, max", "0.800", "-"));
    assertThat(text).contains("ADAPTIVE 3", "10,000, in 2 JVMs");
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

  private static String textOf(Path... files) throws IOException {
    return new Report(ResultFiles.read(List.of(files))).document().text();
  }

  private static Optional<JsonObject> chart(Document report, String axis) {
    return PageReader.charts(report.html()).stream()
        .filter(c -> PageReader.axis(c, "x").equals(axis))
        .findFirst();
  }
}
