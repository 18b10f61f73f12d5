package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.result.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Fork;
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

  @Option(
      names = "--json",
      converter = OutputFile.class,
      description = "A file for the ratios, which the command report reads.")
  private @Nullable Path json;

  /** Measures one row with one allocator, after a warm-up, for so long. */
  @FunctionalInterface
  interface Meter {
    Measurement measure(
        CompareRow row, AllocatorKind allocator, Duration warmup, Duration measurement)
        throws IOException;
  }

  @Override
  public Integer call() throws Exception {
    Pace pace = new Pace(rounds * CompareRow.values().length * ALLOCATORS.size());
    CompareTable table = compare(rounds, new ForkRunner(), pace, Progress.onStandardError());
    out().println(table.render());
    CompareRow first = CompareRow.PATTERN_DIRECT;
    Fork fork = first.benchmark.getAnnotation(Fork.class); // the other benchmarks have it, too
    Setup setup = Setup.here(List.of(fork.jvmArgsPrepend()));
    setup.lines().forEach(out()::println);
    if (json != null) {
      CompareResults.FORMAT.write(json, new CompareResults(setup, table.ratios()));
      out().println("\nThe ratios, for the command report: " + json);
    }
    out().println("\nOne row alone, with longer timings:");
    String arguments = first.jmhArguments(AllocatorKind.MIMALLOC);
    out().println("java -jar microbench/target/microbench.jar " + arguments);
    return 0;
  }

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
              "round %d of %d, %s %s".formatted(round + 1, rounds, row.id, allocator),
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
