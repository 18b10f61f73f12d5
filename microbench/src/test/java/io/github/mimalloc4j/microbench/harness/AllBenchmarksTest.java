package io.github.mimalloc4j.microbench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.github.mimalloc4j.microbench.threads.PlainThreadsBenchmark;
import io.github.mimalloc4j.microbench.threads.VirtualThreadsBenchmark;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs every benchmark of the jar for one short iteration with every allocator, by JMH in this JVM.
 * The benchmarks' own tear-downs fail if anything is left.
 *
 * <p>Nothing that is meant to fail is run here: without a fork, JMH keeps the shared state of a
 * failed run and would use it for the next one.
 */
@Timeout(60)
class AllBenchmarksTest {
  private static final TimeValue BRIEFLY = TimeValue.milliseconds(10);

  @BeforeAll
  static void chooseThreads() {
    System.setProperty("jmh.ignoreLock", "true");
    System.setProperty("jmh.executor", "CUSTOM");
  }

  /** Plain threads, as JMH's usual executor has; without a fork, its kind cannot be changed. */
  public static final class PlainExecutor extends ThreadPoolExecutor {
    /** Called by JMH. */
    public PlainExecutor(int threads, String prefix) {
      super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }
  }

  static Stream<Arguments> benchmarksAndAllocators() {
    List<String> allocators =
        Stream.concat(Stream.of(AllocatorKind.values()).map(Enum::name), Stream.of("BARE"))
            .toList();
    return benchmarks().stream()
        .filter(name -> !name.contains(VirtualThreadsBenchmark.class.getSimpleName()))
        .flatMap(name -> allocators.stream().map(allocator -> Arguments.of(name, allocator)));
  }

  private static Set<String> benchmarks() {
    OutputFormat silent =
        OutputFormatFactory.createFormatInstance(
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            VerboseMode.SILENT);
    Set<String> names = new TreeSet<>();
    for (BenchmarkListEntry entry : BenchmarkList.defaultList().getAll(silent, List.of())) {
      names.add(entry.getUsername());
    }
    return names;
  }

  @Test
  void thereAreBenchmarks() {
    assertThat(benchmarks()).hasSizeGreaterThan(20);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("benchmarksAndAllocators")
  void runs(String benchmark, String allocator) throws Exception {
    run(benchmark, brief().param("allocator", allocator));
  }

  @ParameterizedTest(name = "{0} {1}={2}")
  @CsvSource({
    "AllocationPatternBenchmark, polluted, true",
    "AllocationPatternBenchmark, aged, true",
    "AllocationPatternBenchmark, leakDetection, PARANOID",
    "AllocationPatternBenchmark, kind, HEAP",
    "AllocationPatternBenchmark, touch, ALL",
    "AllocationPatternBenchmark, sizes, HTTP_SERVICE",
    "AllocationPatternBenchmark, sizes, RPC",
    "AllocationPatternBenchmark, sizes, BROKER",
    "HandOverBenchmark.oneToMany, held, true",
    "HandOverBenchmark.oneToOne, polluted, true",
    "BatchBenchmark, polluted, true",
    "BatchBenchmark, order, RANDOM",
    "ForeignReleaseBenchmark, polluted, true",
    "ForeignReleaseBenchmark, foreignPercent, 100",
    "TinyBufferBenchmark, polluted, true",
    "AccessBenchmark, polluted, true",
    "AccessBenchmark, mixed, true",
    "RetainReleaseBenchmark, polluted, true",
    "LifetimesBenchmark, polluted, true",
    "LarsonServerBenchmark, polluted, true",
    "LarsonServerBenchmark, threads, PLAIN",
    "StressPhasesBenchmark, polluted, true",
    "StressPhasesBenchmark, threads, PLAIN",
    "PlainThreadsBenchmark, touch, ENDS",
  })
  void runsWithKnobs(String benchmark, String knob, String value) throws Exception {
    run(".*" + benchmark + ".*", brief().param("allocator", "MIMALLOC").param(knob, value));
  }

  @Test
  void memoryIsReportedBesideTheTime() throws Exception {
    assumeTrue(ResidentMemory.bytes().isPresent(), "resident memory is unknown");
    RunResult result =
        run(
                ".*ForeignReleaseBenchmark.*",
                brief()
                    .param("allocator", "POOLED")
                    .param("sizes", "1000")
                    .addProfiler(SideResultsProfiler.class))
            .iterator()
            .next();

    Map<String, Double> scores = new TreeMap<>();
    result.getSecondaryResults().forEach((label, each) -> scores.put(label, each.getScore()));
    assertThat(scores)
        .containsOnlyKeys(
            "used.peak", "live.peak", "resident", "cpu.time", "collections", "collections.time");
    assertThat(scores.get("live.peak")).as("both threads, 64 each").isEqualTo(2 * 64 * 1000.0);
    assertThat(scores.get("used.peak")).isGreaterThan(scores.get("live.peak"));
    assertThat(scores.get("resident")).isGreaterThan(10 << 20);
    assertThat(scores.get("cpu.time")).isPositive();
  }

  @Test
  void virtualThreadsRunWhereTheyAreThere() throws Exception {
    String benchmark = VirtualThreadsBenchmark.class.getName() + ".allocateParkRelease";
    ChainedOptionsBuilder options = brief().param("allocator", "MIMALLOC");
    if (ThreadKind.available().contains(ThreadKind.VIRTUAL)) {
      run(benchmark, options);
    } else {
      assertThatThrownBy(() -> run(benchmark, options))
          .hasStackTraceContaining("virtual threads need JDK 21 or newer, and this is JDK 17");
    }
  }

  private static ChainedOptionsBuilder brief() {
    return new OptionsBuilder()
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(BRIEFLY)
        .param("live", "64")
        .param("size", "66000")
        .shouldFailOnError(true);
  }

  private static Collection<RunResult> run(String benchmark, ChainedOptionsBuilder options)
      throws Exception {
    boolean plain = benchmark.contains(PlainThreadsBenchmark.class.getSimpleName());
    // What a fork's JVM options choose otherwise; JMH reads it whenever it starts threads.
    System.setProperty(
        "jmh.executor.class", (plain ? PlainExecutor.class : EventLoopExecutor.class).getName());
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(log, true, StandardCharsets.UTF_8);
    String include = benchmark.contains("*") ? benchmark : "^" + Pattern.quote(benchmark) + "$";
    Collection<RunResult> results;
    try {
      results =
          new Runner(
                  options.include(include).build(),
                  OutputFormatFactory.createFormatInstance(print, VerboseMode.NORMAL))
              .run();
    } catch (RunnerException e) {
      throw new AssertionError(log.toString(StandardCharsets.UTF_8), e);
    }
    assertThat(results).isNotEmpty();
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      assertThat(result.getPrimaryResult().getScore()).as(params.id()).isFinite().isPositive();
    }
    return results;
  }
}
