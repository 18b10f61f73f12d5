package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.AllocatorKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
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
    List<String> lines =
        EndToEndTable.render(ROUNDS).lines().map(line -> line.replaceAll(" +", " ")).toList();

    assertThat(lines)
        .startsWith("| figure | allocator | median | min..max | ratio | min..max of it |")
        .containsSubsequence(
            "| requests/s | mimalloc | 1000 | 500..1100 | - | - |",
            "| | adaptive | 800 | 400..1100 | 0.80 | 0.80..1.00 |",
            "| CPU us/request | mimalloc | 100.00 | 100.00..200.00 | - | - |",
            "| | adaptive | 200.00 | 150.00..300.00 | 1.50 | 1.50..2.00 |",
            "| p99 us | mimalloc | 301 | 300..302 | - | - |",
            "| max us | mimalloc | 5000 | 5000..5000 | - | - |",
            "| used MiB | mimalloc | 3.0 | 3.0..3.0 | - | - |",
            "| resident MiB | mimalloc | 100 | 100..100 | - | - |",
            "| | adaptive | 150 | 150..150 | 1.50 | 1.50..1.50 |");
  }

  @Test
  void warmupThatWasTooShortIsSaid() {
    assertThat(EndToEndTable.render(ROUNDS).lines().filter(line -> line.startsWith("Unsteady")))
        .containsExactly(
            "Unsteady: adaptive: CPU of a request changed by +33 % from first to last round.");
  }

  @Test
  void whatTheSystemDoesNotTellIsLeftOut() {
    Round first = ROUNDS.get(0);
    Round unknown =
        new Round(0, AllocatorKind.POOLED, first.load(), null, new ServerMemory(0, null));

    assertThat(EndToEndTable.render(List.of(unknown)).replaceAll(" +", " "))
        .contains("| CPU us/request | pooled | - | - | - | - |")
        .contains("| resident MiB | pooled | - | - | - | - |");
    JsonObject json = json(List.of(unknown));
    assertThat(
            json.getAsJsonArray("rounds").get(0).getAsJsonObject().get("cpuSeconds").isJsonNull())
        .isTrue();
  }

  @Test
  void jsonHasTheDocumentedFields() {
    JsonObject json = json(ROUNDS);

    assertThat(json.keySet())
        .containsExactly("format", "load", "environment", "flags", "rounds", "summary");
    assertThat(json.get("format").getAsInt()).isEqualTo(1);
    JsonObject load = json.getAsJsonObject("load");
    assertThat(load.get("tool").getAsString()).isEqualTo("wrk");
    assertThat(load.get("seconds").getAsInt()).isEqualTo(2);
    assertThat(load.get("rounds").getAsInt()).isEqualTo(3);
    assertThat(load.get("warmup").getAsInt()).isEqualTo(1);
    assertThat(load.get("connections").getAsInt()).isEqualTo(16);
    assertThat(load.get("tls").getAsBoolean()).isTrue();
    assertThat(json.getAsJsonArray("environment").get(0).getAsString()).isEqualTo("JDK: 17");
    assertThat(json.getAsJsonArray("flags").get(0).getAsString()).isEqualTo("-Xmx1g");

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
    assertThat(adaptive.getAsJsonObject("ratios").get("min").getAsDouble()).isEqualTo(0.8);
    assertThat(adaptive.getAsJsonObject("ratios").get("max").getAsDouble()).isEqualTo(1);
  }

  @Test
  void errorsMakeTheCommandFail() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(shown, true, StandardCharsets.UTF_8);

    assertThat(EndToEndCommand.report(ROUNDS, err)).isZero();
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

    assertThat(EndToEndCommand.report(List.of(round(1, AllocatorKind.POOLED, 10, 1, 7)), err))
        .isEqualTo(1);
    assertThat(shown.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("end-to-end: round 2, pooled: 7 errors, the first: status 500");
  }

  private static JsonObject json(List<Round> rounds) {
    return JsonParser.parseString(
            EndToEndJson.render(OPTIONS, List.of("JDK: 17"), List.of("-Xmx1g"), rounds))
        .getAsJsonObject();
  }
}
