package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.application.LoadResult.Latency;
import io.github.mimalloc4j.microbench.application.LoadResult.Timing;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Load;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Measured;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.endtoend.ServerStatistics.Memory;
import io.github.mimalloc4j.microbench.page.PageReader;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables and the JSON of rounds with known figures. */
class EndToEndReportTest {
  private static final String FAST = "fast:one";
  private static final String SLOW = "slow:one";

  @TempDir private Path folder;

  /** In the order of measuring; the machine was half as fast in the second round. */
  private static final List<Round> ROUNDS =
      List.of(
          round(FAST, 0, "MIMALLOC", 2000, 0.2, 0),
          round(FAST, 0, "ADAPTIVE", 1600, 0.24, 0),
          round(FAST, 1, "ADAPTIVE", 800, 0.24, 0),
          round(FAST, 1, "MIMALLOC", 1000, 0.2, 0),
          round(FAST, 2, "MIMALLOC", 2200, 0.22, 0),
          round(FAST, 2, "ADAPTIVE", 2200, 0.44, 0));

  /** Here another one needs three quarters of the time. */
  private static final List<Round> LOST =
      List.of(round(SLOW, 0, "MIMALLOC", 1000, 0.4, 0), round(SLOW, 0, "ADAPTIVE", 1000, 0.3, 0));

  private static Round round(
      String workload, int round, String allocator, long requests, double cpuSeconds, long errors) {
    boolean reference = allocator.equals("MIMALLOC");
    Measured closed =
        new Measured(
            requests,
            2,
            errors,
            errors == 0 ? null : "status 500",
            cpuSeconds,
            null,
            requests * (reference ? 100L : 150L),
            new Memory(3L << 20, reference ? 100L << 20 : 150L << 20));
    Measured fixed = new Measured(100, 2, 0, null, 0.02, null, null, new Memory(2L << 20, null));
    return new Round(
        workload,
        round,
        allocator,
        closed,
        50,
        fixed,
        new Timing(new Latency(100, 200, 300 + round, 400, 450, 5000), 12.5));
  }

  private static Load load(String workload) {
    return new Load(workload, "requests", "wrk", 3, 10, 15, 16, "nio", 1);
  }

  @Test
  void tableHasMediansAndRatiosOfTheSameRound() {
    assertThat(text(ROUNDS).lines())
        .contains(
            "| application | figure | allocator | median | min..max | ratio | min..max of ratio |")
        .containsSubsequence(
            "| fast:one | CPU us/request | MIMALLOC | 100.00 | 100.00..200.00 | - | - |",
            "| | | ADAPTIVE | 200.00 | 150.00..300.00 | 1.50 | 1.50..2.00 |",
            "| fast:one | CPU us/request, fixed rate | MIMALLOC | 200.00 | 200.00..200.00 | - | - |",
            "| fast:one | requests/s | MIMALLOC | 1000 | 500..1100 | - | - |",
            "| | | ADAPTIVE | 800 | 400..1100 | 1.25 | 1.00..1.25 |",
            "| fast:one | garbage B/request | MIMALLOC | 100 | 100..100 | - | - |",
            "| | | ADAPTIVE | 150 | 150..150 | 1.50 | 1.50..1.50 |",
            "| fast:one | used MiB | MIMALLOC | 3.0 | 3.0..3.0 | - | - |",
            "| fast:one | resident MiB | MIMALLOC | 100 | 100..100 | - | - |",
            "| | | ADAPTIVE | 150 | 150..150 | 1.50 | 1.50..1.50 |",
            "| fast:one | p99 us | MIMALLOC | 301 | 300..302 | - | - |",
            "| fast:one | p99.9 us | MIMALLOC | - | - | - | - |", // of 100 requests
            "| fast:one | p99.99 us | MIMALLOC | - | - | - | - |",
            "| fast:one | max us | MIMALLOC | 5000 | 5000..5000 | - | - |")
        .contains("fast:one: at the fixed rate, the client itself was late by 13 us (p99; 13..13).")
        .contains(
            "- fast:one, wrk, 16 connections, nio, 1 event loop: requests. 3 JVMs per allocator,"
                + " each with up to 15 s of warm-up and 10 s of each load.");
  }

  @Test
  void allApplicationsAreOnePictureLossesFirst() {
    List<Round> both = Stream.of(ROUNDS, LOST).flatMap(List::stream).toList();

    assertThat(text(both).lines())
        .startsWith(
            "| application | allocator | CPU | min..max | CPU, fixed rate | requests/s | garbage"
                + " | p99 | used | resident |",
            "|-------------|-----------|-----:|-----------:|----------------:|-----------:|"
                + "--------:|-----:|-----:|---------:|",
            "| slow:one | ADAPTIVE | 0.75 | 0.75..0.75 | 1.00 | 1.00 | 1.50 | 1.00 | 1.00 | 1.50 |",
            "| fast:one | ADAPTIVE | 1.50 | 1.50..2.00 | 1.00 | 1.25 | 1.50 | 1.00 | 1.00 | 1.50 |");
    List<JsonObject> charts = PageReader.charts(report(both).document().html());
    assertThat(charts).as("CPU, latency, used and resident memory").hasSize(4);
    assertThat(charts)
        .allSatisfy(
            chart -> assertThat(chart.get("groups")).hasToString("[\"slow:one\",\"fast:one\"]"));
    assertThat(PageReader.points(charts.get(0), "ADAPTIVE"))
        .containsExactly(List.of(0.0, 0.75, 0.75, 0.75), List.of(1.0, 1.5, 1.5, 2.0));
    assertThat(PageReader.points(charts.get(3), "ADAPTIVE"))
        .containsExactly(List.of(0.0, 1.5, 1.5, 1.5), List.of(1.0, 1.5, 1.5, 1.5));
  }

  @Test
  void compilersAreNoPartOfARequest() throws Exception {
    Round round = ROUNDS.get(0);
    Measured fixed = new Measured(1000, 2, 0, null, 0.5, 0.2, null, round.fixed().peak());
    List<Round> rounds = new ArrayList<>();
    for (double compilers : List.of(0.25, 0.375, 0.125)) {
      Measured closed = new Measured(1000, 2, 0, null, 0.5, compilers, null, round.closed().peak());
      rounds.add(new Round(FAST, rounds.size(), "POOLED", closed, 5, fixed, round.timing()));
    }

    assertThat(text(rounds).lines())
        .contains(
            "| fast:one | CPU us/request | POOLED | 250.00 | 125.00..375.00 | - | - |",
            "fast:one: the JIT compilers took 50 % of the CPU time (25..75), at the fixed rate 40 %"
                + " (40..40), not counted here.");
    assertThat(EndToEndResults.FORMAT.read(json(rounds))).isEqualTo(results(rounds));
  }

  @Test
  void whatTheSystemDoesNotTellIsLeftOut() throws Exception {
    Measured unknown = new Measured(10, 1, 0, null, null, null, null, new Memory(null, null));
    Round round = ROUNDS.get(0);
    List<Round> rounds = List.of(new Round(FAST, 0, "POOLED", unknown, 5, unknown, round.timing()));

    assertThat(text(rounds))
        .contains("| fast:one | CPU us/request | POOLED | - | - | - | - |")
        .contains("| fast:one | garbage B/request | POOLED | - | - | - | - |")
        .contains("| fast:one | used MiB | POOLED | - | - | - | - |")
        .contains("| fast:one | resident MiB | POOLED | - | - | - | - |");
    assertThat(text(rounds)).doesNotContain("fast:one: the JIT compilers");
    assertThat(EndToEndResults.FORMAT.read(json(rounds)))
        .as("nor is it in the file")
        .isEqualTo(results(rounds));
  }

  @Test
  void theFileHoldsTheLoadsAndTheRounds() throws Exception {
    JsonObject json = json(ROUNDS).getAsJsonObject();

    assertThat(json.keySet()).containsExactly("format", "setup", "loads", "rounds");
    assertThat(json.getAsJsonArray("loads").get(0).toString())
        .isEqualTo(
            "{\"workload\":\"fast:one\",\"description\":\"requests\",\"tool\":\"wrk\",\"jvms\":3,"
                + "\"seconds\":10,\"warmup\":15,\"connections\":16,\"transport\":\"nio\","
                + "\"eventLoops\":1}");
    assertThat(json.getAsJsonArray("rounds")).hasSize(6);
    assertThat(json.getAsJsonArray("rounds").get(2).toString())
        .isEqualTo(
            "{\"workload\":\"fast:one\",\"round\":1,\"allocator\":\"ADAPTIVE\","
                + "\"closed\":{\"requests\":800,\"seconds\":2.0,\"errors\":0,\"cpuSeconds\":0.24,"
                + "\"garbage\":120000,\"peak\":{\"used\":3145728,\"resident\":157286400}},"
                + "\"rate\":50.0,"
                + "\"fixed\":{\"requests\":100,\"seconds\":2.0,\"errors\":0,\"cpuSeconds\":0.02,"
                + "\"peak\":{\"used\":2097152}},"
                + "\"timing\":{\"latency\":{\"p50\":100.0,\"p90\":200.0,\"p99\":301.0,"
                + "\"p999\":400.0,\"p9999\":450.0,\"max\":5000.0},\"late\":12.5}}");
  }

  @Test
  void whatIsBetterThanOursIsListedWhicheverDirectionIsBetter() {
    // Three requests to our two, each with the same processor time and latency.
    List<Round> rounds =
        List.of(round(FAST, 0, "MIMALLOC", 2000, 0.2, 0), round(FAST, 0, "POOLED", 3000, 0.3, 0));

    assertThat(report(rounds).against())
        .filteredOn(Against::isLoss)
        .containsExactly(
            new Against(
                "end-to-end",
                "fast:one, wrk, 16 connections, nio, 1 event loop",
                "POOLED",
                "requests/s",
                Spread.of(2.0 / 3)));
  }

  @Test
  void aJvmWithErrorsIsInNoFigure() {
    List<Round> failed = new ArrayList<>(ROUNDS);
    failed.add(round(FAST, 3, "MIMALLOC", 10, 1, 7));
    failed.add(round(FAST, 3, "ADAPTIVE", 10, 0.5, 0)); // of that round nothing is compared

    assertThat(text(failed).lines())
        .containsSubsequence(
            "| fast:one | CPU us/request | MIMALLOC | 100.00 | 100.00..200.00 | - | - |",
            "| | | ADAPTIVE | 250.00 | 150.00..50000.00 | 1.50 | 1.50..2.00 |");
    assertThat(report(failed).against()).isEqualTo(report(ROUNDS).against());
  }

  @Test
  void roundsThatAreMissingAreSaid() {
    assertThat(text(LOST)).contains("- slow:one, wrk", "1 of 3 JVMs per allocator");
  }

  @Test
  void errorsMakeTheCommandFail() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    PrintWriter err = new PrintWriter(shown, true, StandardCharsets.UTF_8);

    assertThat(EndToEndCommand.report(ROUNDS, err)).isZero();
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

    List<Round> failed = List.of(round(FAST, 1, "POOLED", 10, 1, 7));
    assertThat(EndToEndCommand.report(failed, err)).isEqualTo(1);
    assertThat(text(failed).lines())
        .contains(
            "Errors: fast:one, round 2, POOLED: 7; this JVM is left out of tables and charts.");
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("end-to-end: fast:one, round 2, POOLED: 7 errors; the first: status 500");
  }

  private JsonElement json(List<Round> rounds) throws IOException {
    Path file = folder.resolve("end-to-end.json");
    EndToEndResults.FORMAT.write(file, results(rounds));
    return JsonParser.parseString(Files.readString(file));
  }

  private static EndToEndResults results(List<Round> rounds) {
    List<Load> loads =
        rounds.stream().map(Round::workload).distinct().map(EndToEndReportTest::load).toList();
    return new EndToEndResults(Setup.here(List.of("-Xmx1g")), loads, rounds);
  }

  private static EndToEndReport report(List<Round> rounds) {
    return new EndToEndReport(results(rounds));
  }

  /** Without the spaces that align tables. */
  private static String text(List<Round> rounds) {
    return report(rounds).document().text().replaceAll(" +", " ");
  }
}
