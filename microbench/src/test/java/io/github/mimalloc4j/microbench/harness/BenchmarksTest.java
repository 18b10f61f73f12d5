package io.github.mimalloc4j.microbench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.allocation.AllocateReleaseBenchmark;
import io.github.mimalloc4j.microbench.allocation.AllocationPatternBenchmark;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.threads.HandOverBenchmark;
import io.github.mimalloc4j.microbench.threads.HandOverBenchmark.HandOver;
import io.github.mimalloc4j.microbench.threads.PlainThreadsBenchmark;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.infra.ThreadParams;

/** What benchmarks have in common, on a thread as JMH would have it. */
@Timeout(120)
class BenchmarksTest {
  private static final int STEPS = 20_000;

  private EventLoopExecutor executor;

  @BeforeEach
  void startThread() {
    executor = new EventLoopExecutor(1, "benchmark-test");
  }

  @AfterEach
  void stopThread() throws Exception {
    executor.shutdownGracefully(0, 10, TimeUnit.SECONDS).get(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @CsvSource({
    "MIMALLOC, DIRECT, 1024, true",
    "ADAPTIVE, HEAP, 8192, false",
    "POOLED, DIRECT, 65536, false",
    "UNPOOLED, DIRECT, 128, false",
    "BARE, DIRECT, 1024, true",
  })
  void patternKeepsAsManyBuffersLiveAsItSays(
      String allocator, BufferKind kind, int live, boolean pollutedAndTouched) throws Exception {
    onEventLoop(
        () -> {
          MeasuredAllocator measured = measured(allocator, kind);
          measured.polluted = pollutedAndTouched;
          AllocationPatternBenchmark benchmark = new AllocationPatternBenchmark();
          benchmark.live = live;
          benchmark.sizes = "WEBSOCKET_PROXY";
          benchmark.touch = pollutedAndTouched ? Touch.ENDS : Touch.NONE;
          benchmark.setUp(measured);
          for (int i = 0; i < STEPS; i++) {
            assertThat(benchmark.replaceRandomSlot().refCnt()).isOne();
          }
          benchmark.endIteration();
          assertThat(SideResultsProfiler.peakUsed())
              .isGreaterThanOrEqualTo(SideResultsProfiler.peakLive());
          // All live bytes of some moment, the mean being 2.5 KB a buffer.
          assertThat(SideResultsProfiler.peakLive()).isBetween(1500L * live, 5000L * live);
          benchmark.tearDown();
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"MIMALLOC", "POOLED", "UNPOOLED"})
  void whatIsLeftIsFoundAtTheEnd(String allocator) throws Exception {
    onEventLoop(
        () -> {
          MeasuredAllocator measured = measured(allocator, BufferKind.HEAP);
          AllocateReleaseBenchmark benchmark = new AllocateReleaseBenchmark();
          benchmark.size = 256;
          benchmark.setUp(measured);
          ByteBuf forgotten = measured.calls().allocate(100);

          assertThatThrownBy(benchmark::tearDown)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageStartingWith(allocator + " has ")
              .hasMessageEndingWith(" bytes in use, though all were released");
          forgotten.release();
          return null;
        });
  }

  @Test
  void whatIsInUseElsewhereIsFoundAtTheEnd() throws Exception {
    onEventLoop(
        () -> {
          MeasuredAllocator measured = measured("BARE", BufferKind.DIRECT);
          AllocationPatternBenchmark benchmark = new AllocationPatternBenchmark();
          benchmark.live = 1;
          benchmark.sizes = "100";
          benchmark.touch = Touch.NONE;
          benchmark.setUp(measured);
          ByteBuf retained = benchmark.replaceRandomSlot().retain();

          assertThatThrownBy(benchmark::tearDown).hasMessageStartingWith("a buffer has another");
          retained.release();
          return null;
        });
  }

  @Test
  void leakDetectionLevelIsThatOfTheParameterAndRestored() throws Exception {
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    MeasuredAllocator measured = measured("POOLED", BufferKind.DIRECT);
    measured.restore();
    measured.leakDetection = ResourceLeakDetector.Level.PARANOID;
    measured.create();
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    measured.restore();
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 16, 'live must be from 1 to 65536, not 0'",
    "65537, 16, 'live must be from 1 to 65536, not 65537'",
    "65536, 8388608, 'about 524,288 MiB would be live of '",
  })
  void senselessParametersAreExplained(int live, String sizes, String message) {
    MeasuredAllocator measured = measured("POOLED", BufferKind.DIRECT);
    AllocationPatternBenchmark benchmark = new AllocationPatternBenchmark();
    benchmark.live = live;
    benchmark.sizes = sizes;
    benchmark.touch = Touch.NONE;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> benchmark.setUp(measured))
        .withMessageStartingWith(message);
  }

  @Test
  void memoryThatThreadsShareIsRequiredOnce() throws Exception {
    onEventLoop(
        () -> {
          MeasuredAllocator measured = measured("POOLED", BufferKind.HEAP);
          HandOver shared = new HandOver();
          long halfOfTheMemory = Runtime.getRuntime().maxMemory() / 2;
          for (int i = 0; i < 2; i++) {
            handOver(halfOfTheMemory)
                .setUp(measured, shared, new ThreadParams(i, 2, 0, 1, i, 2, i, 2, 0, 1));
          }
          assertThatThrownBy(
                  () ->
                      handOver(3 * halfOfTheMemory)
                          .setUp(
                              measured,
                              new HandOver(),
                              new ThreadParams(0, 2, 0, 1, 0, 2, 0, 2, 0, 1)))
              .isInstanceOf(IllegalArgumentException.class);
          return null;
        });
  }

  private static HandOverBenchmark handOver(long bytes) {
    HandOverBenchmark benchmark = new HandOverBenchmark();
    benchmark.sizes = String.valueOf(bytes / 512); // as many as the queue takes
    benchmark.touch = Touch.NONE;
    return benchmark;
  }

  @Test
  void otherThreadsAreRefused() {
    MeasuredAllocator measured = measured("POOLED", BufferKind.DIRECT);

    assertThatThrownBy(() -> new AllocateReleaseBenchmark().setUp(measured))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("-Djmh.executor=CUSTOM");
  }

  @Test
  void plainThreadsMustBePlain() throws Exception {
    onEventLoop(
        () -> {
          PlainThreadsBenchmark benchmark = new PlainThreadsBenchmark();
          benchmark.live = 1;
          benchmark.sizes = "256";
          benchmark.touch = Touch.NONE;
          MeasuredAllocator measured = measured("POOLED", BufferKind.DIRECT);
          assertThatThrownBy(() -> benchmark.setUp(measured))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("plain threads");
          return null;
        });
  }

  @Test
  void measuredCallsAreCompiledApart() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/META-INF/CompilerHints")) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines())
          .contains(
              "dontinline,io/github/mimalloc4j/microbench/harness/BufferCalls.allocate",
              "dontinline,io/github/mimalloc4j/microbench/harness/BufferCalls.release");
    }
  }

  private static MeasuredAllocator measured(String allocator, BufferKind kind) {
    MeasuredAllocator measured = new MeasuredAllocator();
    measured.allocator = allocator;
    measured.kind = kind;
    measured.leakDetection = ResourceLeakDetector.getLevel();
    measured.create();
    return measured;
  }

  private void onEventLoop(Callable<?> body) throws Exception {
    executor.submit(body).get();
  }
}
