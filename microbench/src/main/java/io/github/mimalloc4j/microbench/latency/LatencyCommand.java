package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.command.Rounds;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.github.mimalloc4j.microbench.result.Setup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code latency}: measures the latency distribution of single operations. */
@Command(
    name = "latency",
    description =
        "Measures how long single allocations and releases take, up to the slowest. Prints a table,"
            + " and writes the results for the report command.")
public final class LatencyCommand extends AbstractCommand {
  /** Observed on a nearly idle machine, including the warm-up. */
  private static final Duration JVM = Duration.ofSeconds(2);

  private static final Duration OPERATION = Duration.ofNanos(400);

  @Option(names = "--allocator", defaultValue = "all", description = Allocators.DESCRIPTION)
  private Allocators allocators;

  @Range(min = "1000", max = "2000000000")
  @Option(
      names = "--operations",
      description = "Number of allocations, and of releases, for each allocator in all rounds.")
  private int operations = 10_000_000;

  @Range(min = "1", max = "100")
  @Option(names = "--rounds", description = "Number of JVMs for each allocator.")
  private int rounds = 5;

  @Option(
      names = "--output",
      converter = OutputFile.class,
      defaultValue = "latency.json",
      description = "JSON file for the results, written after each round.")
  private Path output;

  /** The subjects to measure, in the order in which they are shown. */
  List<String> subjects() {
    return Stream.concat(allocators.names().stream(), Stream.of(LatencyRun.NO_ALLOCATOR)).toList();
  }

  @Override
  public Integer call() throws Exception {
    List<String> flags = ChildProcess.flags(LatencyRun.FLAGS);
    Setup setup = Setup.here(flags);
    Map<String, List<RoundResult>> measured = new LinkedHashMap<>();
    new Rounds(rounds)
        .measure(
            subjects(),
            JVM.plus(OPERATION.multipliedBy(operations(0))),
            (subject, round, begun) -> {
              LatencyRun.Request request = new LatencyRun.Request(subject, operations(round));
              measured
                  .computeIfAbsent(subject, first -> new ArrayList<>())
                  .add(MeasuringJvm.measure(request, RoundResult.class, flags, begun));
            },
            () -> LatencyResults.FORMAT.write(output, LatencyResults.of(setup, measured)));
    LatencyResults results = LatencyResults.of(setup, measured);
    out().println(new LatencyReport(results).document().text());
    out().println("Results for the report command: " + output);
    return 0;
  }

  /** A round's share of the operations; the last round also takes the remainder. */
  private long operations(int round) {
    long share = operations / rounds;
    return round < rounds - 1 ? share : operations - share * (rounds - 1);
  }
}
