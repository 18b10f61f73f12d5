package io.github.mimalloc4j.microbench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.command.CommandLines;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.page.PageReader;
import io.github.mimalloc4j.microbench.result.Records;
import io.github.mimalloc4j.microbench.result.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LatencyCommandTest {
  @TempDir private Path folder;

  @Test
  void allPoolingAllocatorsAndTheFloorAreMeasured() {
    assertThat(CommandLines.parse(new LatencyCommand()).subjects())
        .containsExactly("MIMALLOC", "ADAPTIVE", "POOLED", "FLOOR");
  }

  @Test
  void resultsOfAJvmSurviveTheFile() throws Exception {
    RoundResult result = result(1000, 70);

    String json = Records.JSON.toJson(result);

    assertThat(Records.JSON.fromJson(json, RoundResult.class)).isEqualTo(result);
    String damaged = json.replaceFirst("\"allocate\":\"\\w{8}", "\"allocate\":\"AAAAAAAA");
    assertThatThrownBy(() -> Records.JSON.fromJson(damaged, RoundResult.class))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void percentilesAreThoseOfTheOperations() {
    Histogram histogram = RoundResult.histogram();
    for (int nanos = 1; nanos <= 1000; nanos++) {
      histogram.recordValue(nanos);
    }

    Map<String, Long> percentiles = LatencyResults.percentiles(histogram);

    assertThat(percentiles)
        .as("a thousand operations have no 99.99th percentile")
        .containsOnlyKeys("50", "90", "99", "99.9", "100")
        .containsEntry("50", 500L)
        .containsEntry("99", 990L)
        .containsEntry("100", 1000L);
    assertThat(LatencyResults.oneOf("50", 1000)).isEqualTo(2);
    assertThat(LatencyResults.oneOf(LatencyResults.MAX, 1000)).isEqualTo(1000);
  }

  @Test
  void wholeCommandWritesResultsThatAReportReads() throws Exception {
    Path output = folder.resolve("latency.json");

    CommandRun run =
        CommandRun.of(
            new LatencyCommand(),
            ("--allocator mimalloc,pooled --operations 3001 --rounds 2 --output " + output)
                .split(" "));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("| allocate | MIMALLOC ", "| release  | MIMALLOC ", "| FLOOR ")
        .contains(
            "FLOOR is the same run without the operation",
            "-XX:+UseG1GC",
            "leakDetection.level=disabled");
    JsonObject json = JsonParser.parseString(Files.readString(output)).getAsJsonObject();
    assertThat(LatencyResults.FORMAT.isIn(json)).isTrue();
    LatencyResults results = LatencyResults.FORMAT.read(json);
    assertThat(results.distributions()).hasSize(6).allMatch(one -> one.count() == 3001);
    assertThat(results.distributions()).allMatch(one -> one.rounds().size() == 2);
    assertThat(run.out())
        .as("the file makes the same tables")
        .startsWith(new LatencyReport(results).document().text());
    assertThat(PageReader.charts(new LatencyReport(results).document().html())).hasSize(2);
  }

  @Test
  void eachOperationHasTheTimesOfItsOwnInAllRounds() {
    LatencyResults results =
        LatencyResults.of(
            Setup.here(List.of()),
            Map.of(
                "X",
                List.of(
                    new RoundResult(histogram(1000, 70), histogram(1000, 30), 2),
                    new RoundResult(histogram(1000, 50), histogram(1000, 10), 3))));

    assertThat(results.collections()).containsExactly(Map.entry("X", 5L));
    assertTimes(results.of(LatencyResults.ALLOCATE), 70, 70, 50);
    assertTimes(results.of(LatencyResults.RELEASE), 30, 30, 10);
  }

  private static void assertTimes(
      List<LatencyResults.Distribution> found, long all, long first, long second) {
    assertThat(found)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.count()).isEqualTo(2000);
              assertThat(one.all()).containsEntry(LatencyResults.MAX, all);
              assertThat(one.rounds())
                  .extracting(round -> round.get(LatencyResults.MAX))
                  .containsExactly(first, second);
            });
  }

  /** No release can take less; that an allocation takes less needs no fast machine. */
  @Test
  void aReleaseThatTakesLongCountsAsARelease() throws Exception {
    String slow = SlowReleaseAllocator.class.getName();

    RoundResult found = new LatencyRun.Request(slow, 1000).measure(begun -> {});

    assertThat(found.release().getTotalCount()).isEqualTo(1000);
    assertThat(found.release().getMinValue())
        .isGreaterThanOrEqualTo(SlowReleaseAllocator.NANOS * 99 / 100); // as the histogram has it
    assertThat(found.allocate().getTotalCount()).isEqualTo(1000);
    assertThat(found.allocate().getMinValue()).isLessThan(SlowReleaseAllocator.NANOS);
  }

  private static RoundResult result(long operations, long nanos) {
    return new RoundResult(histogram(operations, nanos), histogram(operations, nanos), 1);
  }

  private static Histogram histogram(long operations, long nanos) {
    Histogram histogram = RoundResult.histogram();
    histogram.recordValueWithCount(nanos, operations);
    return histogram;
  }
}
