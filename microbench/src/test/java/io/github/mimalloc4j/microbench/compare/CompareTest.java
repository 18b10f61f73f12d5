package io.github.mimalloc4j.microbench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareTest {
  private static final int MIB = 1 << 20;

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final Progress progress =
      new Progress(new PrintStream(shown, true, StandardCharsets.UTF_8), false);
  private long clock;

  @Test
  void eachRoundMeasuresAllAllocatorsOfARowInTurn() throws Exception {
    List<AllocatorKind> order = new ArrayList<>();
    CompareCommand.compare(
        2,
        (row, allocator, warmup, measurement) -> {
          order.add(allocator);
          return new Measurement(10, 0, MIB, MIB);
        },
        pace(24),
        progress);

    assertThat(order).hasSize(24);
    assertThat(order.subList(0, 3)).isEqualTo(CompareCommand.ALLOCATORS);
    assertThat(order.subList(12, 15))
        .as("another comes first in the next round")
        .containsExactly(AllocatorKind.ADAPTIVE, AllocatorKind.POOLED, AllocatorKind.MIMALLOC);
  }

  @Test
  void progressTellsTheTimeLeft() throws Exception {
    CompareCommand.compare(1, this::fourSecondFork, pace(12), progress);

    List<String> lines = shown.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(12);
    assertThat(lines.get(0)).matches("round 1 of 1, S1 MIMALLOC, about \\d+ s left");
    assertThat(lines.get(11)).startsWith("round 1 of 1, S4 POOLED, about 4 s left");
  }

  @Test
  void slowForksMeasureForLessTimeButTheSameForAllAllocatorsOfARow() throws Exception {
    List<Duration> lengths = new ArrayList<>();
    CompareCommand.compare(
        3,
        (row, allocator, warmup, measurement) -> {
          lengths.add(measurement);
          clock += warmup.plus(measurement).plusSeconds(2).toNanos();
          return new Measurement(10, 0, MIB, MIB);
        },
        pace(36),
        progress);

    for (int i = 0; i < lengths.size(); i += 3) {
      assertThat(lengths.subList(i, i + 3)).containsOnly(lengths.get(i));
    }
    assertThat(lengths.get(0)).isEqualTo(Pace.LONGEST);
    assertThat(lengths.get(35)).isBetween(Pace.SHORTEST, Pace.LONGEST.minusMillis(1));
    assertThat(Duration.ofNanos(clock)).isLessThan(Duration.ofSeconds(130));
  }

  @Test
  void ratiosAreThoseOfARound() throws Exception {
    CompareTable table = new CompareTable();
    double[] load = {1, 3, 1.5};
    double[] ratio = {4, 5, 4.5};
    for (int round = 0; round < 3; round++) {
      table.add(
          CompareRow.PATTERN_DIRECT,
          AllocatorKind.MIMALLOC,
          new Measurement(16 * load[round], 0, 22 * MIB, 20 * MIB));
      table.add(
          CompareRow.PATTERN_DIRECT,
          AllocatorKind.ADAPTIVE,
          new Measurement(16 * load[round] * ratio[round], 0.5, 30 * MIB, 20 * MIB));
    }

    String text = table.render();
    assertThat(text.lines().toList().get(2).split("\\s*\\|\\s*"))
        .containsSubsequence("S1", "MIMALLOC", "24.0", "-", "-", "22.0", "1.10");
    assertThat(text.lines().toList().get(3).split("\\s*\\|\\s*"))
        .containsSubsequence("ADAPTIVE", "108.0", "4.50", "4.00..5.00", "30.0", "1.50");
    assertThat(text).contains("Unsteady: S1").doesNotContain("Unsteady: S1, MIMALLOC");
    assertThat(table.ratios())
        .containsExactly(
            new Against(
                "AllocationPatternBenchmark",
                "8,192 live, direct",
                "ADAPTIVE",
                "time",
                new Spread(4.5, 4, 5)));
  }

  @Test
  void ratiosSurviveTheFile(@TempDir Path folder) throws Exception {
    CompareTable table =
        CompareCommand.compare(
            2,
            (row, allocator, warmup, measurement) -> new Measurement(10 + clock++, 0, 2 * MIB, MIB),
            new Pace(24, () -> 0),
            progress);
    CompareResults results = new CompareResults(Setup.here(List.of("-Xmx1g")), table.ratios());
    Path file = folder.resolve("compare.json");

    CompareResults.FORMAT.write(file, results);

    assertThat(results.ratios()).hasSize(8);
    assertThat(CompareResults.FORMAT.read(JsonParser.parseString(Files.readString(file))))
        .isEqualTo(results);
  }

  @Test
  void tableIsMarkdownThatFitsTheScreen() throws Exception {
    CompareTable table =
        CompareCommand.compare(
            3,
            (row, allocator, warmup, measurement) ->
                new Measurement(12345.6, 0, 12345.6 * MIB, 1 * MIB),
            pace(36),
            progress);

    List<String> lines = table.render().lines().takeWhile(line -> !line.isEmpty()).toList();
    assertThat(lines).hasSize(2 + 12);
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line).startsWith("|").endsWith("|").hasSizeLessThanOrEqualTo(100);
              assertThat(line.chars().filter(c -> c == '|')).hasSize(9);
            });
    assertThat(lines.get(1)).matches("\\|(-+:?\\|){8}");
  }

  @Test
  void rowsSayHowToRunThemAlone() {
    assertThat(CompareRow.CHURN_LARGE.jmhArguments(AllocatorKind.POOLED))
        .isEqualTo("AllocateReleaseBenchmark -p allocator=POOLED -p kind=DIRECT -p size=16639");
  }

  private Measurement fourSecondFork(
      CompareRow row, AllocatorKind allocator, Duration warmup, Duration measurement) {
    clock += Duration.ofSeconds(4).toNanos();
    return new Measurement(10, 0, MIB, MIB);
  }

  private Pace pace(int forks) {
    return new Pace(forks, () -> clock);
  }
}
