package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Memory;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table and the JSON of rounds with known figures. */
class EndToEndReportTest {
  @TempDir private Path folder;

  private static final EndToEndResults.Load LOAD =
      new EndToEndResults.Load("wrk", LoadTool.WRK.work, 2, 3, 1, 16, true);

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
        new Memory(3 << 20, allocator == AllocatorKind.MIMALLOC ? 100L << 20 : 150L << 20));
  }

  @Test
  void tableHasMediansAndRatiosOfTheSameRound() {
    assertThat(text(ROUNDS).lines())
        .contains("| figure | allocator | median | min..max | ratio | min..max of it |")
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
    assertThat(text(ROUNDS).lines())
        .filteredOn(note -> note.startsWith("Unsteady"))
        .containsExactly(
            "Unsteady: ADAPTIVE: CPU of a request changed by +33 % from first to last round.");
  }

  @Test
  void whatTheSystemDoesNotTellIsLeftOut() throws Exception {
    Round first = ROUNDS.get(0);
    Round unknown = new Round(0, AllocatorKind.POOLED, first.load(), null, new Memory(0, null));

    assertThat(text(List.of(unknown)))
        .contains("| CPU us/request | POOLED | - | - | - | - |")
        .contains("| resident MiB | POOLED | - | - | - | - |");
    assertThat(EndToEndResults.FORMAT.read(json(List.of(unknown))))
        .as("nor is it in the file")
        .isEqualTo(results(List.of(unknown)));
  }

  @Test
  void resultsSurviveTheFile() throws Exception {
    JsonElement json = json(ROUNDS);

    assertThat(EndToEndResults.FORMAT.isIn(json)).isTrue();
    assertThat(EndToEndResults.FORMAT.read(json)).isEqualTo(results(ROUNDS));
  }

  /** For other programs: they need no statistics of their own. */
  @Test
  void theFileHoldsTheLoadTheRoundsAndTheirSummary() throws Exception {
    JsonObject json = json(ROUNDS).getAsJsonObject();

    assertThat(json.keySet()).containsExactly("format", "setup", "load", "rounds", "summary");
    assertThat(json.get("load").toString())
        .startsWith("{\"tool\":\"wrk\",")
        .endsWith("\"seconds\":2,\"rounds\":3,\"warmup\":1,\"connections\":16,\"tls\":true}");
    assertThat(json.getAsJsonArray("rounds")).hasSize(6);
    assertThat(json.getAsJsonArray("rounds").get(2).toString())
        .isEqualTo(
            "{\"round\":1,\"allocator\":\"ADAPTIVE\",\"load\":{\"requests\":800,\"seconds\":2.0,"
                + "\"latency\":{\"p50\":100.0,\"p90\":200.0,\"p99\":301.0,\"p999\":400.0,"
                + "\"max\":5000.0},\"errors\":0},\"cpuSeconds\":0.24,"
                + "\"peak\":{\"used\":3145728,\"resident\":157286400}}");
    assertThat(json.getAsJsonArray("summary")).hasSize(2 * Summary.Figure.values().length);
    assertThat(json.getAsJsonArray("summary").get(1).toString())
        .isEqualTo(
            "{\"figure\":\"THROUGHPUT\",\"allocator\":\"ADAPTIVE\","
                + "\"values\":{\"middle\":800.0,\"low\":400.0,\"high\":1100.0},"
                + "\"ratio\":{\"middle\":1.25,\"low\":1.0,\"high\":1.25}}");
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
                Spread.of(2.0 / 3)));
  }

  @Test
  void errorsMakeTheCommandFail() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    PrintWriter err = new PrintWriter(shown, true, StandardCharsets.UTF_8);

    assertThat(EndToEndCommand.report(ROUNDS, err)).isZero();
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

    List<Round> failed = List.of(round(1, AllocatorKind.POOLED, 10, 1, 7));
    assertThat(EndToEndCommand.report(failed, err)).isEqualTo(1);
    assertThat(text(failed).lines())
        .contains("Errors: round 2, POOLED: 7; figures of a load with errors are no result.");
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("end-to-end: round 2, pooled: 7 errors, the first: status 500");
  }

  private JsonElement json(List<Round> rounds) throws IOException {
    Path file = folder.resolve("end-to-end.json");
    EndToEndResults.FORMAT.write(file, results(rounds));
    return JsonParser.parseString(Files.readString(file));
  }

  private static EndToEndResults results(List<Round> rounds) {
    return new EndToEndResults(Setup.here(List.of("-Xmx1g")), LOAD, rounds);
  }

  private static EndToEndReport report(List<Round> rounds) {
    return new EndToEndReport(results(rounds));
  }

  /** Without the spaces that align tables. */
  private static String text(List<Round> rounds) {
    return report(rounds).document().text().replaceAll(" +", " ");
  }
}
