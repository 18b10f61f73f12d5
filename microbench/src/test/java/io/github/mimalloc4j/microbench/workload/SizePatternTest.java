package io.github.mimalloc4j.microbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.mimalloc4j.microbench.trace.PlantedRecording;
import io.github.mimalloc4j.microbench.trace.Trace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizePatternTest {
  private static final int DRAWS = 1 << 20;

  private final SizePattern pattern = SizePattern.of("WEBSOCKET_PROXY");

  @Test
  void meanIsThePublishedOne() {
    assertThat(pattern.mean()).isCloseTo(2533, within(5.0));
  }

  @Test
  void frequentSizesAreExactAndAsFrequentAsTheySay() {
    int[] drawn = pattern.draw(DRAWS, 2);

    assertThat(share(drawn, 1024, 1024)).isCloseTo(0.3337, within(0.005));
    assertThat(share(drawn, 16639, 16639)).isCloseTo(0.1056, within(0.005));
    assertThat(share(drawn, 637, 676)).as("just above an exact mode").isLessThan(0.015);
  }

  @Test
  void rareSizesSpreadBySixPerCentEitherWay() {
    int[] drawn = pattern.draw(DRAWS, 3);

    assertThat(IntStream.of(drawn).filter(size -> size >= 4000 && size <= 5000).summaryStatistics())
        .satisfies(
            around4450 -> {
              assertThat(around4450.getMin()).isBetween(4183, 4190);
              assertThat(around4450.getMax()).isBetween(4710, 4717);
              assertThat(around4450.getCount() / (double) DRAWS).isCloseTo(0.0077, within(0.001));
            });
    assertThat(drawn).as("6 % of 9 bytes is less than a byte").doesNotContain(8, 10);
    assertThat(IntStream.of(drawn).max().orElseThrow()).isLessThanOrEqualTo(Character.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, data:1: not 'size:weight'",
    "x:1000, data:1: not a size or a distribution: x",
    "99999999:1000, data:1: more than 16777216 bytes",
    "pareto 1 1.1 99999999:1000, data:1: more than 16777216 bytes",
    "16:, data:1: not a weight",
    "16:-1, data:1: not a weight",
    "16:NaN, data:1: not a weight",
    "16:999999, data:1: not a weight",
    "16:500, data: the weights add up to 500.0",
    "'', data: the weights add up to 0.0",
  })
  void malformedDataIsNamed(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizePattern.parse("data", List.of(line)))
        .withMessageStartingWith(message);
  }

  @Test
  void sizesOfATraceAreDrawnAsOftenAsTheyWereAskedFor(@TempDir Path folder) throws Exception {
    Path trace = folder.resolve("planted.trace");
    try (PlantedRecording recording = new PlantedRecording()) {
      for (int i = 0; i < 30; i++) {
        recording.allocate("main", 4096 * (i + 1), i < 20 ? 77 : i < 29 ? 1000 : 20 << 20);
      }
      recording.reallocate("main", 4096, 77, 5000).allocate("main", 1 << 30, 5000);
      Trace.ofRecording(recording.in(folder.resolve("planted.jfr")), trace);
    }

    SizePattern recorded = SizePattern.of("trace:" + trace);

    int[] drawn = recorded.draw(DRAWS, 4);
    assertThat(share(drawn, 77, 77)).isCloseTo(20 / 30.0, within(0.005));
    assertThat(share(drawn, 1000, 1000)).isCloseTo(9 / 30.0, within(0.005));
    assertThat(share(drawn, 5000, 5000)).as("a reallocation").isCloseTo(1 / 30.0, within(0.005));
    assertThat(recorded.mean()).isCloseTo((20 * 77 + 9 * 1000 + 5000) / 30.0, within(0.01));
  }

  @Test
  void aFileThatIsNoTraceIsNamed(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.jfr"), "FLR and more");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizePattern.of("trace:" + file))
        .withMessage("sizes: " + file + " is not a trace written by the replay command");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizePattern.of("trace:" + folder.resolve("none")))
        .withMessageContaining("does not exist");
  }

  @Test
  void sizesMustDiffer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizePattern.parse("data", List.of("# comment", "", "8:500", "8:500")))
        .withMessage("data:4: size 8 is there twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"WEBSOCKET_PROXY", "HTTP_SERVICE", "RPC", "MIXED", "PARETO", "BROKER"})
  void namedPatternsHaveTheMeanTheySay(String name) {
    SizePattern named = SizePattern.of(name);

    assertThat(SizePattern.NAMES).contains(name);
    assertThat(Arrays.stream(named.draw(DRAWS, 4)).average().orElseThrow())
        .isCloseTo(named.mean(), withinPercentage(5));
    assertThat(named.draw(100, 5))
        .isEqualTo(SizePattern.of(name).draw(100, 5))
        .isNotEqualTo(named.draw(100, 6));
  }

  @Test
  void namesAreTakenAsTheyAreTyped() {
    assertThat(SizePattern.of("http-service").mean())
        .isEqualTo(SizePattern.of("HTTP_SERVICE").mean());
    assertThat(SizePattern.of("16709").draw(3, 1)).containsOnly(16709);
    assertThat(SizePattern.of("7").draw(3, 1)).containsOnly(7);
    assertThat(SizePattern.of("uniform 16 17").draw(1000, 1)).containsOnly(16, 17);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "99999999", "JEMALLOC"})
  void unknownSizesAreExplained(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizePattern.of(text))
        .withMessageStartingWith("sizes must be one of [WEBSOCKET_PROXY, HTTP_SERVICE,")
        .withMessageEndingWith("not '" + text + "'");
  }

  private static double share(int[] drawn, int from, int to) {
    return IntStream.of(drawn).filter(size -> size >= from && size <= to).count()
        / (double) drawn.length;
  }
}
