package io.github.mimalloc4j.microbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeDistributionTest {
  private static final int DRAWS = 1 << 17;

  /** Quartiles as the formulas have them. */
  @ParameterizedTest
  @CsvSource({
    "1024,                       1024,  1024,  1024",
    "uniform 200 400,             250,   300,   350",
    "loguniform 16384 1048576,  46341, 131072, 370728",
    "powers 2048 32768,          4096,  8192, 16384",
    "lognormal 700 0.6 1 65536,   467,   700,  1049",
    "lognormal 300 1.3 1 1048576, 125,   300,   721",
    "pareto 1024 1.2 4194304,    1301,  1824,  3251",
    "pareto 64 1.1 2097152,        83,   120,   226",
  })
  void quartilesAreWhereTheyBelong(String text, int lower, int median, int upper) {
    int[] drawn = draw(text);

    assertThat(quantile(drawn, 0.25)).isCloseTo(lower, withinPercentage(2));
    assertThat(quantile(drawn, 0.5) / (double) median).isBetween(0.98, 2.0);
    assertThat(shareBelow(drawn, median)).isLessThanOrEqualTo(0.51);
    assertThat(quantile(drawn, 0.75) / (double) upper).isBetween(0.98, 2.0);
    assertThat(shareBelow(drawn, upper)).isLessThanOrEqualTo(0.76);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7",
        "uniform 9 17",
        "loguniform 16384 1048576",
        "powers 2048 65536",
        "lognormal 700 0.6 64 65536",
        "lognormal 300 1.3 1 1048576",
        "pareto 1024 1.2 4194304",
      })
  void meanIsThatOfTheDraws(String text) {
    assertThat(IntStream.of(draw(text)).average().orElseThrow())
        .isCloseTo(SizeDistribution.parse(text).mean(), withinPercentage(3));
  }

  @ParameterizedTest
  @CsvSource({
    "uniform 9 17, 9, 17",
    "loguniform 16 64, 16, 64",
    "powers 2 8, 2, 8",
    "lognormal 700 0.6 600 800, 600, 800",
    "pareto 64 1.1 128, 64, 128",
  })
  void boundsAreKept(String text, int min, int max) {
    int[] drawn = draw(text);

    assertThat(drawn[0]).isBetween(min, min + min / 50);
    assertThat(drawn[DRAWS - 1]).isBetween(max - max / 50, max);
    assertThat(SizeDistribution.parse(text).max()).isEqualTo(max);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "0",
        "-5",
        "1.5",
        "uniform",
        "uniform 1",
        "uniform 1 2 3",
        "uniform 0 5",
        "uniform 5 4",
        "loguniform 5 5",
        "powers 3 8",
        "powers 8 4",
        "lognormal 7 0 1 9",
        "lognormal 7 1 8 9",
        "lognormal 7 NaN 1 9",
        "pareto 1 1 9",
        "pareto 9 2 9",
        "gauss 1 2",
      })
  void whatMakesNoSenseIsNamed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SizeDistribution.parse(text))
        .withMessage("not a size or a distribution: " + text);
  }

  private static int[] draw(String text) {
    SizeDistribution distribution = SizeDistribution.parse(text);
    Random random = new Random(1);
    return IntStream.generate(() -> distribution.draw(random)).limit(DRAWS).sorted().toArray();
  }

  private static int quantile(int[] sorted, double share) {
    return sorted[(int) (share * sorted.length)];
  }

  private static double shareBelow(int[] sorted, int limit) {
    return IntStream.of(sorted).filter(size -> size < limit).count() / (double) sorted.length;
  }
}
