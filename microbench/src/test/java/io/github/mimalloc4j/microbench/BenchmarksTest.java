package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs each benchmark briefly: here on a thread as JMH would have it, and by JMH in a fork. */
@Timeout(120)
class BenchmarksTest {
  private static final Duration BRIEFLY = Duration.ofMillis(90);
  private static final int STEPS = 20_000;

  private EventLoopExecutor executor;

  @BeforeAll
  static void letTestsRunBesideOtherBenchmarks() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @BeforeEach
  void startThread() {
    executor = new EventLoopExecutor(1, "benchmark-test");
  }

  @AfterEach
  void stopThread() throws InterruptedException {
    executor.shutdown();
    assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "MIMALLOC, DIRECT, 128, false",
    "MIMALLOC, HEAP, 8192, false",
    "MIMALLOC, DIRECT, 1024, true",
    "ADAPTIVE, DIRECT, 8192, false",
    "ADAPTIVE, HEAP, 1024, false",
    "POOLED, DIRECT, 65536, false",
    "POOLED, HEAP, 1024, true",
    "UNPOOLED, DIRECT, 128, false",
  })
  void patternReleasesEverything(
      AllocatorKind allocator, BufferKind kind, int live, boolean pollutedAndTouched)
      throws Exception {
    onEventLoop(
        () -> {
          AllocationPatternBenchmark benchmark = new AllocationPatternBenchmark();
          benchmark.allocator = allocator;
          benchmark.kind = kind;
          benchmark.live = live;
          benchmark.polluted = pollutedAndTouched;
          benchmark.touch = pollutedAndTouched;
          benchmark.setUp();
          for (int i = 0; i < STEPS; i++) {
            assertThat(benchmark.replaceRandomSlot().refCnt()).isOne();
          }
          benchmark.endIteration();
          assertThat(SideResults.peakUsed()).isGreaterThanOrEqualTo(SideResults.peakLive());
          // All live bytes of some moment, the mean being 2.5 KB a buffer.
          assertThat(SideResults.peakLive()).isBetween(1500L * live, 5000L * live);
          benchmark.releaseAll();
          assertNothingPinned(benchmark, kind);
          return null;
        });
  }

  @ParameterizedTest
  @EnumSource
  void allocateAndReleaseLeavesNothing(AllocatorKind allocator) throws Exception {
    onEventLoop(
        () -> {
          for (BufferKind kind : BufferKind.values()) {
            AllocateReleaseBenchmark benchmark = new AllocateReleaseBenchmark();
            benchmark.allocator = allocator;
            benchmark.kind = kind;
            benchmark.size = 16_639;
            benchmark.setUp();
            for (int i = 0; i < STEPS; i++) {
              assertThat(benchmark.allocateAndRelease()).isTrue();
            }
            benchmark.endIteration();
            assertNothingPinned(benchmark, kind);
          }
          return null;
        });
  }

  @Test
  void otherThreadsAreRefused() {
    AllocateReleaseBenchmark benchmark = new AllocateReleaseBenchmark();
    benchmark.allocator = AllocatorKind.POOLED;
    benchmark.kind = BufferKind.DIRECT;

    assertThatThrownBy(benchmark::setUp)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("-Djmh.executor=CUSTOM");
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

  private void onEventLoop(Callable<?> body) throws Exception {
    executor.submit(body).get();
  }

  private static void assertNothingPinned(AllocatorBenchmark benchmark, BufferKind kind) {
    assertThat(benchmark.allocator.pinnedBytes(benchmark.measured(), kind).orElse(0)).isZero();
  }
}
