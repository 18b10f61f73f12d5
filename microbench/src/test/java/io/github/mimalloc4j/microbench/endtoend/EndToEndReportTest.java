package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.Against;
import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.Ratio;
import io.github.mimalloc4j.microbench.Setup;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table and the JSON of rounds with known figures. */
class EndToEndReportTest {
  private static final EndToEndOptions OPTIONS =
      new EndToEndOptions(
          List.of(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE),
          Duration.ofSeconds(2),
          3,
          1,
          16,
          LoadTool.WRK,
          true,
          Path.of("out.json"));

  /** In the order of measuring; the machine was half as fast in the second round. */
  private static final List<Round> ROUNDS =
      List.of(
          round(0, AllocatorKind.MIMALLOC, 2000, 0.2, 0),
          round(0, AllocatorKind.ADAPTIVE, 1600, 0.24, 0),
          round(1, AllocatorKind.ADAPTIVE, 800, 0.24, 0),
          round(1, AllocatorKind.MIMALLOC, 1000, 0.2, 0),
          round(2, AllocatorKind.MIMALLOC, 2200, 0.22, 0),
          round(2, AllocatorKind.ADAPTIVE, 2200, 0.44, 0));

  private static Round round(
      int round, AllocatorKind allocator, long requests, double cpuSeconds, long errors) {
    return new Round(
        round,
        allocator,
        new LoadResult(
            requests,
            2,
            new LoadResult.Latency(100, 200, 300 + round, 400, 5000),
            errors,
            errors == 0 ? null : "status 500"),
        cpuSeconds,
        new ServerMemory(3 << 20, allocator == AllocatorKind.MIMALLOC ? 100L << 20 : 150L << 20));
  }

  @Test
  void tableHasMediansAndRatiosOfTheSameRound() {
    assertThat(table(ROUNDS).lines())
        .startsWith("| figure | allocator | median | min..max | ratio | min..max of it |")
        .containsSubsequence(
            "| requests/s | MIMALLOC | 1000 | 500..1100 | - | - |",
            "| | ADAPTIVE | 800 | 400..1100 | 1.25 | 1.00..1.25 |",
            "| CPU us/request | MIMALLOC | 100.00 | 100.00..200.00 | - | - |",
            "| | ADAPTIVE | 200.00 | 150.00..300.00 | 1.50 | 1.50..2.00 |",
            "| p99 us | MIMALLOC | 301 | 300..302 | - | - |",
            "| max us | MIMALLOC | 5000 | 5000..5000 | - | - |",
            "| used MiB | MIMALLOC | 3.0 | 3.0..3.0 | - | - |",
            "| resident MiB | MIMALLOC | 100 | 100..100 | - | - |",
            "| | ADAPTIVE | 150 | 150..150 | 1.50 | 1.50..1.50 |");
  }

  @Test
  void warmupThatWasTooShortIsSaid() {
    assertThat(report(ROUNDS).notes())
        .filteredOn(note -> note.startsWith("Unsteady"))
        .containsExactly(
            "Unsteady: ADAPTIVE: CPU of a request changed by +33 % from first to last round.");
  }

  @Test
  void whatTheSystemDoesNotTellIsLeftOut() {
    Round first = ROUNDS.get(0);
    Round unknown =
        new Round(0, AllocatorKind.POOLED, first.load(), null, new ServerMemory(0, null));

    assertThat(table(List.of(unknown)))
        .contains("| CPU us/request | POOLED | - | - | - | - |")
        .contains("| resident MiB | POOLED | - | - | - | - |");
    JsonObject json = json(List.of(unknown));
    assertThat(
            json.getAsJsonArray("rounds").get(0).getAsJsonObject().get("cpuSeconds").isJsonNull())
        .isTrue();
    assertThat(EndToEndResults.read(json).rounds()).containsExactly(unknown);
  }

  @Test
  void jsonHasTheDocumentedFields() {
    JsonObject json = json(ROUNDS);

    assertThat(json.keySet())
        .contains("format", "jvmArgs", "environment", "load", "rounds", "summary");
    assertThat(json.get("format").getAsString()).isEqualTo("mimalloc4j end-to-end 1");
    JsonObject load = json.getAsJsonObject("load");
    assertThat(load.get("tool").getAsString()).isEqualTo("wrk");
    assertThat(load.get("seconds").getAsInt()).isEqualTo(2);
    assertThat(load.get("rounds").getAsInt()).isEqualTo(3);
    assertThat(load.get("warmup").getAsInt()).isEqualTo(1);
    assertThat(load.get("connections").getAsInt()).isEqualTo(16);
    assertThat(load.get("tls").getAsBoolean()).isTrue();

    assertThat(json.getAsJsonArray("rounds")).hasSize(6);
    JsonObject third = json.getAsJsonArray("rounds").get(2).getAsJsonObject();
    assertThat(third.get("round").getAsInt()).isEqualTo(2);
    assertThat(third.get("allocator").getAsString()).isEqualTo("adaptive");
    assertThat(third.get("requests").getAsLong()).isEqualTo(800);
    assertThat(third.get("errors").getAsLong()).isZero();
    assertThat(third.get("requestsPerSecond").getAsDouble()).isEqualTo(400);
    assertThat(third.get("latencyP99Micros").getAsDouble()).isEqualTo(301);
    assertThat(third.get("residentMib").getAsDouble()).isEqualTo(150);
    for (Figure figure : Figure.values()) {
      assertThat(third.has(figure.field())).as(figure.field()).isTrue();
    }

    assertThat(json.getAsJsonArray("summary")).hasSize(2 * Figure.values().length);
    JsonObject ours = json.getAsJsonArray("summary").get(0).getAsJsonObject();
    assertThat(ours.get("ratios").isJsonNull()).isTrue();
    JsonObject adaptive = json.getAsJsonArray("summary").get(1).getAsJsonObject();
    assertThat(adaptive.get("figure").getAsString()).isEqualTo("requestsPerSecond");
    assertThat(adaptive.get("allocator").getAsString()).isEqualTo("adaptive");
    assertThat(adaptive.getAsJsonObject("values").get("median").getAsDouble()).isEqualTo(800);
    assertThat(adaptive.getAsJsonObject("ratios").get("min").getAsDouble()).isEqualTo(1);
    assertThat(adaptive.getAsJsonObject("ratios").get("max").getAsDouble()).isEqualTo(1.25);
  }

  @Test
  void resultsSurviveTheFile() {
    EndToEndResults results = results(ROUNDS);

    assertThat(EndToEndResults.read(json(ROUNDS))).isEqualTo(results);
    assertThat(EndToEndResults.isIn(json(ROUNDS))).isTrue();
  }

  @Test
  void whatIsBetterThanOursIsListedWhicheverDirectionIsBetter() {
    // Three requests to our two, each with the same processor time and latency.
    List<Round> rounds =
        List.of(
            round(0, AllocatorKind.MIMALLOC, 2000, 0.2, 0),
            round(0, AllocatorKind.POOLED, 3000, 0.3, 0));

    assertThat(report(rounds).against())
        .containsExactly(
            new Against(
                "end-to-end",
                "wrk, 16 connections over TLS",
                "POOLED",
                "requests/s",
                new Ratio(2.0 / 3, 2.0 / 3, 2.0 / 3)));
  }

  @Test
  void errorsMakeTheCommandFail() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    PrintWriter err = new PrintWriter(shown, true, StandardCharsets.UTF_8);

    assertThat(EndToEndCommand.report(ROUNDS, err)).isZero();
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

    List<Round> failed = List.of(round(1, AllocatorKind.POOLED, 10, 1, 7));
    assertThat(EndToEndCommand.report(failed, err)).isEqualTo(1);
    assertThat(report(failed).notes())
        .contains("Errors: round 2, POOLED: 7; figures of a load with errors are no result.");
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("end-to-end: round 2, pooled: 7 errors, the first: status 500");
  }

  private static JsonObject json(List<Round> rounds) {
    return JsonParser.parseString(results(rounds).toJson()).getAsJsonObject();
  }

  private static EndToEndResults results(List<Round> rounds) {
    return new EndToEndResults(Setup.here(List.of("-Xmx1g")), LoadDescription.of(OPTIONS), rounds);
  }

  private static EndToEndReport report(List<Round> rounds) {
    return new EndToEndReport(results(rounds));
  }

  /** In Markdown, without the spaces that align it. */
  private static String table(List<Round> rounds) {
    return report(rounds).tables().get(0).toMarkdown().replaceAll(" +", " ");
  }
}
