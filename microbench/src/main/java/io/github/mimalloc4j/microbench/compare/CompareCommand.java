package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.result.Setup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code compare}: the allocators side by side in about two minutes.
 *
 * <p>Each figure comes from a JVM of its own, because code that was compiled for one allocator, or
 * for one size, is not the code that another would have got. Within a round the allocators follow
 * each other directly, and ratios are taken within a round: what disturbs the machine for a while
 * disturbs all of them. The order changes from round to round, so that none always comes first.
 */
@Command(
    name = "compare",
    description =
        "Prints a table of mimalloc4j, Adaptive and Pooled: speed and memory, in about two"
            + " minutes.")
public final class CompareCommand extends AbstractCommand {
  static final List<AllocatorKind> ALLOCATORS = Allocators.ALL.kinds();

  @Range(min = "1", max = "100")
  @Option(names = "--rounds", description = "JVMs for each row and allocator.")
  private int rounds = 3;

  /** Measures one row with one allocator. */
  @FunctionalInterface
  interface Meter {
    /**
     * Measures.
     *
     * @param row what to measure
     * @param allocator the allocator to measure it with
     * @param warmup how long to run before
     * @param measurement how long to measure
     */
    Measurement measure(
        CompareRow row, AllocatorKind allocator, Duration warmup, Duration measurement)
        throws IOException;
  }

  @Override
  public Integer call() throws Exception {
    Pace pace = new Pace(rounds * forksPerRound());
    CompareTable table = compare(rounds, new ForkRunner(), pace, Progress.onStandardError());
    out().println(table.render());
    List<String> flags =
        List.of(
            ForkOptions.GC,
            ForkOptions.HEAP_MIN,
            ForkOptions.HEAP_MAX,
            ForkOptions.FOREGROUND_COMPILATION,
            ForkOptions.NO_LEAK_DETECTION,
            ForkOptions.EXECUTOR,
            ForkOptions.EXECUTOR_CLASS);
    Setup.here(flags).lines().forEach(out()::println);
    out().println();
    out().println("One row alone, with longer timings:");
    out()
        .println(
            "java -jar microbench/target/microbench.jar "
                + CompareRow.PATTERN_DIRECT.jmhArguments(AllocatorKind.MIMALLOC));
    return 0;
  }

  static int forksPerRound() {
    return CompareRow.values().length * ALLOCATORS.size();
  }

  /** Measures all rows with all allocators, round by round. */
  static CompareTable compare(int rounds, Meter meter, Pace pace, Progress progress)
      throws IOException {
    CompareTable table = new CompareTable();
    for (int round = 0; round < rounds; round++) {
      for (CompareRow row : CompareRow.values()) {
        // One length for all allocators of a row and round, or their ratio would compare
        // differently warm code.
        Duration measurement = pace.nextMeasurement();
        for (int i = 0; i < ALLOCATORS.size(); i++) {
          AllocatorKind allocator = ALLOCATORS.get((i + round) % ALLOCATORS.size());
          progress.show(
              "round %d of %d, %s %s".formatted(round + 1, rounds, row.id(), allocator),
              pace.timeLeft());
          table.add(row, allocator, meter.measure(row, allocator, Pace.WARMUP, measurement));
          pace.forkEnded();
        }
      }
    }
    progress.done();
    return table;
  }
}
