package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.command.Turns;
import io.github.mimalloc4j.microbench.result.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code compare}: compares the allocators, by four kinds of work in about two minutes,
 * or by all.
 *
 * <p>Each figure comes from its own JVM, because the JIT compiler would otherwise optimize the code
 * for another allocator or another size. Within a round, the allocators run directly after each
 * other, and ratios are taken within a round, so that a disturbance of the machine affects all of
 * them. The order changes from round to round, so that no allocator is always first.
 */
@Command(
    name = "compare",
    description =
        "Measures the speed and memory of mimalloc4j, Adaptive and Pooled, by four kinds of work in"
            + " about two minutes or by all, and prints a table.")
public final class CompareCommand extends AbstractCommand {
  static final List<String> ALLOCATORS = Allocators.ALL.names();

  @Option(
      names = "--work",
      converter = WorkOption.Converter.class,
      defaultValue = "main",
      description = "Comma-separated names of work, main for four of them, or all.")
  private WorkOption work;

  @Option(
      names = "--floor",
      description = "Also measures ready-made buffers, the floor of targets S1 to S4.")
  private boolean floor;

  @Range(min = "1", max = "100")
  @Option(names = "--rounds", description = "Number of JVMs for each row and allocator.")
  private int rounds = 3;

  @Option(
      names = "--json",
      converter = OutputFile.class,
      description = "JSON file for the figures, for the report command.")
  private @Nullable Path json;

  /** Measures one row with one allocator for the given time, after a warm-up. */
  @FunctionalInterface
  interface Meter {
    Measurement measure(CompareRow row, String allocator, Duration warmup, Duration measurement)
        throws IOException;
  }

  /** Is told of what was measured so far, after each row: a long run may be interrupted. */
  @FunctionalInterface
  interface Checkpoint {
    void reached(CompareTable table) throws IOException;
  }

  /** A row, and the allocators that are measured by it. */
  record Comparison(CompareRow row, List<String> allocators) {
    static List<Comparison> of(List<CompareRow> rows, boolean floor) {
      return rows.stream()
          .map(row -> new Comparison(row, floor && row.hasFloor() ? withFloor() : ALLOCATORS))
          .toList();
    }

    private static List<String> withFloor() {
      return Stream.concat(ALLOCATORS.stream(), Stream.of(AllocatorSource.BARE_NAME)).toList();
    }
  }

  @Override
  public Integer call() throws Exception {
    List<Comparison> comparisons = Comparison.of(work.rows(), floor);
    int forks = comparisons.stream().mapToInt(each -> each.allocators().size()).sum();
    ForkRunner runner = new ForkRunner();
    CompareTable table =
        compare(
            rounds,
            comparisons,
            runner,
            new Pace(rounds * forks),
            Progress.onStandardError(),
            soFar -> write(Setup.here(runner.flags()), soFar));
    out().println(table.render());
    CompareRow first = work.rows().get(0);
    Setup.here(runner.flags()).lines().forEach(out()::println);
    if (json != null) {
      out().println("\nFigures for the report command: " + json);
    }
    out().println("\nTo measure one row alone, for longer:");
    out().println("java -jar microbench/target/microbench.jar " + first.jmhArguments());
    return 0;
  }

  private void write(Setup setup, CompareTable table) throws IOException {
    if (json != null) {
      CompareResults.FORMAT.write(json, new CompareResults(setup, table.figures()));
    }
  }

  static CompareTable compare(
      int rounds,
      List<Comparison> comparisons,
      Meter meter,
      Pace pace,
      Progress progress,
      Checkpoint checkpoint)
      throws IOException {
    CompareTable table = new CompareTable();
    try {
      for (int round = 0; round < rounds; round++) {
        for (Comparison each : comparisons) {
          // The same length for all allocators of a row and round, so that their code is equally
          // warm.
          Duration measurement = pace.nextMeasurement();
          CompareRow row = each.row();
          for (String allocator : Turns.of(each.allocators(), round)) {
            progress.show(
                "round %d of %d, %s %s".formatted(round + 1, rounds, row.target, allocator),
                pace.timeLeft());
            table.add(row, allocator, meter.measure(row, allocator, Pace.WARMUP, measurement));
            pace.forkEnded();
          }
          checkpoint.reached(table);
        }
      }
    } finally {
      progress.done();
    }
    return table;
  }
}
