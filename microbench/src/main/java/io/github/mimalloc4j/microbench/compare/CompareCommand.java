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
 * The command {@code compare}: compares the allocators in about two minutes.
 *
 * <p>Each figure comes from its own JVM, because the JIT compiler would otherwise optimize the code
 * for another allocator or another size. Within a round, the allocators run directly after each
 * other, and ratios are taken within a round, so that a disturbance of the machine affects all of
 * them. The order changes from round to round, so that no allocator is always first.
 */
@Command(
    name = "compare",
    description =
        "Measures the speed and memory of mimalloc4j, Adaptive and Pooled in about two minutes, and"
            + " prints a table.")
public final class CompareCommand extends AbstractCommand {
  static final List<AllocatorKind> ALLOCATORS = Allocators.ALL.kinds();

  @Range(min = "1", max = "100")
  @Option(names = "--rounds", description = "Number of JVMs for each row and allocator.")
  private int rounds = 3;

  @Option(
      names = "--json",
      converter = OutputFile.class,
      description = "JSON file for the ratios, for the report command.")
  private @Nullable Path json;

  /** Measures one row with one allocator for the given time, after a warm-up. */
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
    Fork fork = first.benchmark.getAnnotation(Fork.class); // the same for the other benchmarks
    Setup setup = Setup.here(List.of(fork.jvmArgsPrepend()));
    setup.lines().forEach(out()::println);
    if (json != null) {
      CompareResults.FORMAT.write(json, new CompareResults(setup, table.ratios()));
      out().println("\nRatios for the report command: " + json);
    }
    out().println("\nTo measure one row alone, for longer:");
    String arguments = first.jmhArguments(AllocatorKind.MIMALLOC);
    out().println("java -jar microbench/target/microbench.jar " + arguments);
    return 0;
  }

  static CompareTable compare(int rounds, Meter meter, Pace pace, Progress progress)
      throws IOException {
    CompareTable table = new CompareTable();
    for (int round = 0; round < rounds; round++) {
      for (CompareRow row : CompareRow.values()) {
        // The same length for all allocators of a row and round, so that their code is equally
        // warm.
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
