package io.github.mimalloc4j.microbench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.compare.CompareCommand.Comparison;
import io.github.mimalloc4j.microbench.compare.CompareResults.Figures;
import io.github.mimalloc4j.microbench.result.Machine;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.TypeConversionException;

class CompareTest {
  private static final int MIB = 1 << 20;
  private static final List<Comparison> MAIN = Comparison.of(CompareRow.MAIN, false);
  private static final CompareCommand.Checkpoint NOTHING = table -> {};
  private static final Setup SETUP =
      new Setup("17", "a VM", List.of(), new Machine("4.2", "a CPU", "a system"));

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final Progress progress =
      new Progress(new PrintStream(shown, true, StandardCharsets.UTF_8), false);
  private long clock;

  @Test
  void eachRoundMeasuresAllAllocatorsOfARowInTurn() throws Exception {
    List<String> order = new ArrayList<>();
    CompareCommand.compare(
        2,
        MAIN,
        (row, allocator, warmup, measurement) -> {
          order.add(allocator);
          return new Measurement(10, 0, MIB, MIB, 0);
        },
        pace(24),
        progress,
        NOTHING);

    assertThat(order).hasSize(24);
    assertThat(order.subList(0, 3)).isEqualTo(CompareCommand.ALLOCATORS);
    assertThat(order.subList(12, 15))
        .as("another comes first in the next round")
        .containsExactly("ADAPTIVE", "POOLED", "MIMALLOC");
  }

  @Test
  void whatWasMeasuredBeforeAFailureIsKnown() {
    List<Integer> figures = new ArrayList<>();

    assertThatThrownBy(
            () ->
                CompareCommand.compare(
                    2,
                    MAIN,
                    (row, allocator, warmup, measurement) -> {
                      if (!figures.isEmpty()) {
                        throw new IOException("planted");
                      }
                      return new Measurement(10, 0, MIB, MIB, 0);
                    },
                    pace(24),
                    progress,
                    table -> figures.add(table.figures().size())))
        .hasMessage("planted");
    assertThat(figures).as("of the first row").containsExactly(3);
  }

  @Test
  void progressTellsTheTimeLeft() throws Exception {
    CompareCommand.compare(1, MAIN, this::fourSecondFork, pace(12), progress, NOTHING);

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
        MAIN,
        (row, allocator, warmup, measurement) -> {
          lengths.add(measurement);
          clock += warmup.plus(measurement).plusSeconds(2).toNanos();
          return new Measurement(10, 0, MIB, MIB, 0);
        },
        pace(36),
        progress,
        NOTHING);

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
          CompareRow.LIVE_8192,
          "MIMALLOC",
          new Measurement(16 * load[round], 0, 22 * MIB, 20 * MIB, 1.5));
      table.add(
          CompareRow.LIVE_8192,
          "ADAPTIVE",
          new Measurement(16 * load[round] * ratio[round], 0.5, 30 * MIB, 20 * MIB, 2.5));
    }

    String text = table.render();
    assertThat(text.lines().toList().get(2).split("\\s*\\|\\s*"))
        .containsSubsequence("S1", "MIMALLOC", "24.0", "-", "-", "22.0", "1.10");
    assertThat(text.lines().toList().get(3).split("\\s*\\|\\s*"))
        .containsSubsequence("ADAPTIVE", "108.0", "4.50", "4.00..5.00", "30.0", "1.50");
    assertThat(text).contains("Unsteady: S1").doesNotContain("Unsteady: S1, MIMALLOC");
    assertThat(table.figures())
        .last()
        .isEqualTo(
            new Figures(
                Target.S1,
                "8,192 live, direct",
                "AllocationPatternBenchmark.replaceRandomSlot$ -p live=8192",
                "ADAPTIVE",
                108,
                new Spread(4.5, 4, 5),
                30 * MIB,
                2.5,
                0.5));
    assertThat(new CompareReport(new CompareResults(SETUP, table.figures())).document().text())
        .contains("Unsteady: S1, 8,192 live, direct, ADAPTIVE: the time changed by +50 % within");
  }

  @Test
  void tableIsMarkdownThatFitsTheScreen() throws Exception {
    CompareTable table =
        CompareCommand.compare(
            3,
            MAIN,
            (row, allocator, warmup, measurement) ->
                new Measurement(12345.6, 0, 12345.6 * MIB, 1 * MIB, 0),
            pace(36),
            progress,
            NOTHING);

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

  private static long found(List<String> names, String pattern) {
    return names.stream().filter(Pattern.compile(pattern).asPredicate()).count();
  }

  @Test
  void changesUpAndDownDoNotMakeUpForEachOther() {
    assertThat(drift(0.4, -0.5)).isEqualTo(-0.5);
    assertThat(drift(0.2, 0.01)).isEqualTo(0.2);
    assertThat(drift(0.4, -0.3, 0.01)).isEqualTo(-0.3);
    assertThat(drift(0.4, 0.02, 0.01)).isEqualTo(0.02);
  }

  private static Double drift(double... rounds) {
    CompareTable table = new CompareTable();
    for (double drift : rounds) {
      table.add(CompareRow.LIVE_8192, "MIMALLOC", new Measurement(16, drift, MIB, MIB, 0));
    }
    return table.figures().get(0).drift();
  }

  @Test
  void rowsSayHowToRunThemAlone() {
    assertThat(CompareRow.ONCE_16639.jmhArguments())
        .isEqualTo("AllocateReleaseBenchmark.allocateAndRelease$ -p size=16639");
  }

  @Test
  void everyRowIsOneBenchmarkOfTheJar() {
    List<String> names =
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
            .stream()
            .map(BenchmarkListEntry::getUsername)
            .distinct()
            .toList();

    assertThat(CompareRow.values())
        .allSatisfy(
            row ->
                assertThat(
                        List.of(
                            found(names, row.pattern()),
                            found(names, row.jmhArguments().replaceFirst(" .*", ""))))
                    .allMatch(found -> found == 1));
  }

  @Test
  void floorIsMeasuredWhereThereIsOne() {
    assertThat(Comparison.of(List.of(CompareRow.ONCE_256, CompareRow.GET_LONG), true))
        .extracting(Comparison::allocators)
        .containsExactly(
            List.of("MIMALLOC", "ADAPTIVE", "POOLED", "BARE"),
            List.of("MIMALLOC", "ADAPTIVE", "POOLED"));
  }

  @Test
  void workIsNamed() {
    WorkOption.Converter converter = new WorkOption.Converter();

    assertThat(converter.convert("get-long,once-256").rows())
        .containsExactly(CompareRow.GET_LONG, CompareRow.ONCE_256);
    assertThat(converter.convert("main").rows()).isEqualTo(CompareRow.MAIN);
    assertThat(converter.convert("all").rows())
        .containsAll(CompareRow.MAIN)
        .contains(CompareRow.TINY_BUFFER)
        .allMatch(CompareRow::runsHere);
    assertThatThrownBy(() -> converter.convert("once-256,other"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageStartingWith("expected main, all, or some of [live-8192, heap-8192, ")
        .hasMessageEndingWith("not 'other'");
    if (Runtime.version().feature() < 21) {
      assertThatThrownBy(() -> converter.convert("virtual"))
          .hasMessage("virtual needs JDK 21 or newer");
    }
    assertThatThrownBy(() -> converter.convert("once-256,once-256"))
        .hasMessage("once-256 is named twice");
  }

  private Measurement fourSecondFork(
      CompareRow row, String allocator, Duration warmup, Duration measurement) {
    clock += Duration.ofSeconds(4).toNanos();
    return new Measurement(10, 0, MIB, MIB, 0);
  }

  private Pace pace(int forks) {
    return new Pace(forks, () -> clock);
  }
}
