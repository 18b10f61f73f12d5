package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.harness.SideResultsProfiler;
import io.github.mimalloc4j.microbench.result.Spread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures one row with one allocator in a JVM of its own, by JMH. */
final class ForkRunner implements CompareCommand.Meter {
  private static final int WARMUP_ITERATIONS = 2;

  /** Many short ones: a disturbance spoils a few of them, and the median leaves those out. */
  private static final int ITERATIONS = 9;

  /** JMH's name for bytes of Java objects per operation. */
  private static final String GARBAGE = "gc.alloc.rate.norm";

  private List<String> flags = List.of();

  /** Returns the flags of the first JVM that was measured; those of others differ little. */
  List<String> flags() {
    return flags;
  }

  @Override
  public Measurement measure(
      CompareRow row, String allocator, Duration warmup, Duration measurement) throws IOException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(row.pattern())
            .forks(1)
            .warmupIterations(WARMUP_ITERATIONS)
            .warmupTime(share(warmup, WARMUP_ITERATIONS))
            .measurementIterations(ITERATIONS)
            .measurementTime(share(measurement, ITERATIONS))
            .addProfiler(SideResultsProfiler.class)
            .addProfiler(GCProfiler.class)
            .param("allocator", allocator)
            .shouldFailOnError(true);
    for (String parameter : row.parameters) {
      String[] nameAndValue = parameter.split("=", 2);
      options.param(nameAndValue[0], nameAndValue[1]);
    }

    // Kept in memory: nobody wants to read it unless the fork fails.
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    try (PrintStream print = new PrintStream(log, true, StandardCharsets.UTF_8)) {
      RunResult result =
          new Runner(
                  options.build(),
                  OutputFormatFactory.createFormatInstance(print, VerboseMode.NORMAL))
              .runSingle();
      if (flags.isEmpty()) {
        flags = List.copyOf(result.getParams().getJvmArgs());
      }
      return toMeasurement(result, row.target.clock);
    } catch (RunnerException e) {
      String output = log.toString(StandardCharsets.UTF_8);
      String what = "measuring " + row.jmhArguments() + " with " + allocator + " failed: ";
      throw new IOException(what + e.getMessage() + "\n" + output, e);
    }
  }

  private static TimeValue share(Duration whole, int parts) {
    return TimeValue.milliseconds(whole.toMillis() / parts);
  }

  private static Measurement toMeasurement(RunResult result, Target.Clock clock) {
    ToDoubleFunction<IterationResult> time =
        clock == Target.Clock.PROCESSOR
            ? each -> secondary(each.getSecondaryResults(), SideResultsProfiler.CPU_TIME)
            : ForkRunner::wallTime;
    List<Double> nanos =
        result.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .map(time::applyAsDouble)
            .toList();
    return new Measurement(
        Spread.median(nanos),
        drift(nanos),
        secondary(result.getSecondaryResults(), SideResultsProfiler.PEAK_USED),
        secondary(result.getSecondaryResults(), SideResultsProfiler.PEAK_LIVE),
        secondary(result.getSecondaryResults(), GARBAGE));
  }

  /** From nanoseconds per operation, or operations per microsecond. */
  private static double wallTime(IterationResult iteration) {
    double score = iteration.getPrimaryResult().getScore();
    return iteration.getBenchmarkParams().getMode() == Mode.Throughput ? 1000 / score : score;
  }

  private static double drift(List<Double> nanos) {
    int third = nanos.size() / 3;
    double early = Spread.median(nanos.subList(0, third));
    double late = Spread.median(nanos.subList(nanos.size() - third, nanos.size()));
    return (late - early) / early;
  }

  @SuppressWarnings("rawtypes") // JMH's own signature.
  private static double secondary(Map<String, Result> results, String label) {
    Result<?> found = results.get(label);
    if (found == null) {
      throw new IllegalStateException("the fork did not report " + label);
    }
    return found.getScore();
  }
}
