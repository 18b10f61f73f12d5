package io.github.mimalloc4j.microbench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ForkRunnerTest {
  private static final Duration BRIEFLY = Duration.ofMillis(90);

  @BeforeAll
  static void letTestsRunBesideOtherBenchmarks() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @ParameterizedTest
  @CsvSource({
    "PATTERN_DIRECT, MIMALLOC",
    "PATTERN_DIRECT, ADAPTIVE",
    "PATTERN_DIRECT, POOLED",
    "PATTERN_HEAP, MIMALLOC",
    "CHURN_SMALL, MIMALLOC",
    "CHURN_LARGE, ADAPTIVE",
  })
  void forkMeasures(CompareRow row, AllocatorKind allocator) throws Exception {
    Measurement measurement = new ForkRunner().measure(row, allocator, BRIEFLY, BRIEFLY);

    assertThat(measurement.nanos()).isPositive();
    assertThat(measurement.drift()).isFinite();
    assertThat(measurement.peakLive()).isPositive();
    assertThat(measurement.peakUsed()).isGreaterThanOrEqualTo(measurement.peakLive());
  }
}
