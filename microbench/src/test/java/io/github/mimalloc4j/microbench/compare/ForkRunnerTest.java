package io.github.mimalloc4j.microbench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ForkRunnerTest {
  private static final Duration BRIEFLY = Duration.ofMillis(90);

  /** For so many operations that what JMH itself allocates does not matter. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(2);

  @BeforeAll
  static void letTestsRunBesideOtherBenchmarks() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @ParameterizedTest
  @CsvSource({
    "LIVE_8192, MIMALLOC",
    "LIVE_8192, ADAPTIVE",
    "LIVE_8192, POOLED",
    "HEAP_8192, MIMALLOC",
    "ONCE_256, MIMALLOC",
    "ONCE_256, BARE",
    "LIVE_RPC, MIMALLOC",
    "ONCE_16639, ADAPTIVE",
  })
  void forkMeasures(CompareRow row, String allocator) throws Exception {
    Measurement measurement = new ForkRunner().measure(row, allocator, BRIEFLY, BRIEFLY);

    assertThat(measurement.nanos()).isPositive();
    assertThat(measurement.drift()).isFinite();
    assertThat(measurement.peakLive()).isPositive();
    assertThat(measurement.peakUsed()).isGreaterThanOrEqualTo(measurement.peakLive());
  }

  @ParameterizedTest
  @CsvSource({"ONE_TO_ONE, POOLED", "PLAIN_ONCE, MIMALLOC", "STRESS_PHASES, MIMALLOC"})
  void workOfSeveralThreadsIsTimedByTheWall(CompareRow row, String allocator) throws Exception {
    Measurement measurement = new ForkRunner().measure(row, allocator, BRIEFLY, BRIEFLY);

    assertThat(measurement.nanos()).isBetween(1., 1e6);
    assertThat(measurement.drift()).isFinite();
  }

  /** JMH hands its own JVM's flags on. */
  @Test
  void theFlagsAreThoseOfTheMeasuredJvm() throws Exception {
    ForkRunner runner = new ForkRunner();
    runner.measure(CompareRow.ONCE_256, "MIMALLOC", BRIEFLY, BRIEFLY);

    assertThat(runner.flags())
        .contains(ForkOptions.GC)
        .containsAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  @Test
  void garbageIsThatOfAnOperation() throws Exception {
    Measurement measurement =
        new ForkRunner().measure(CompareRow.RETAINED_SLICE, "MIMALLOC", LONG_ENOUGH, LONG_ENOUGH);

    assertThat(measurement.garbage()).isBetween(16., 200.);
  }
}
