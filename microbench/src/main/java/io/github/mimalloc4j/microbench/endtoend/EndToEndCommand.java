package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.ExternalTool;
import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Load;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Measured;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.result.Setup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code end-to-end}: measures servers under load with each allocator in turn. */
@Command(
    name = "end-to-end",
    description = {
      "Puts real servers under load with each allocator. Measures CPU time and garbage per",
      "request, memory, requests per second, and latency at a fixed rate."
    })
public final class EndToEndCommand extends AbstractCommand {
  /** What generates the load of the closed loop. */
  enum LoadBy {
    /** Our client, which checks all answers. */
    OWN,
    /** An external program. */
    TOOL
  }

  @Option(
      names = "--app",
      converter = WorkloadOption.Converter.class,
      defaultValue = "plaintext:pipelined",
      description = "Comma-separated applications, as NAME or NAME:VARIANT, or all.")
  WorkloadOption workloads;

  @Option(names = "--allocator", defaultValue = "all", description = Allocators.DESCRIPTION)
  Allocators allocators;

  /** Each JVM is one sample: its inlining decisions depend on chance and last until it ends. */
  @Range(min = "1", max = "1000")
  @Option(names = "--jvms", description = "Number of JVMs for each allocator, started in turns.")
  int jvms = 5;

  @Range(min = "1", max = "3600")
  @Option(names = "--seconds", description = "Length of each load in seconds.")
  int seconds = 10;

  /**
   * A server needs at least 100,000 requests before the processor time of a request settles,
   * because code that is not compiled yet adds to it.
   */
  @Range(min = "1", max = "3600")
  @Option(
      names = "--warmup",
      description = {
        "Maximum warm-up of each JVM in seconds. It ends earlier once the JIT compilers of all JVMs",
        "are almost idle, if the system reports their CPU time (Linux)."
      })
  int warmup = 15;

  @Range(min = "1", max = "10000")
  @Option(names = "--connections", description = "Number of concurrent connections.")
  int connections = 32;

  @Option(names = "--transport", description = "Transport of the server: ${COMPLETION-CANDIDATES}.")
  Transport transport = Transport.NIO;

  @Range(min = "1", max = "1024")
  @Option(names = "--event-loops", description = "Number of event loops of the server.")
  int eventLoops = 1;

  @Option(
      names = "--load",
      description = {
        "Load generator of the closed loop: ${COMPLETION-CANDIDATES}. By default a tool (wrk,",
        "redis-benchmark, h2load) if a suitable one is installed, otherwise our own client."
      })
  private @Nullable LoadBy load;

  @Option(
      names = "--output",
      converter = OutputFile.class,
      defaultValue = "end-to-end.json",
      description = "JSON file for the results.")
  Path output;

  /** The time of the remaining loads. */
  private Duration left = Duration.ZERO;

  /**
   * Returns the tool for the closed loop, or null for our own client.
   *
   * @param path the folders to search, in the format of the variable {@code PATH}
   */
  @Nullable ExternalTool tool(Workload workload, String path) {
    if (load == LoadBy.OWN) {
      return null;
    }
    @Nullable ExternalTool tool = workload.tool();
    if (tool != null && ToolLoad.isInstalled(tool.program(), path)) {
      return tool;
    }
    if (load == LoadBy.TOOL) {
      throw misuse(
          "--load tool: "
              + (tool == null
                  ? "no tool can load " + workload.name()
                  : "no tool for " + workload.name() + " found on the PATH: " + tool.program()));
    }
    return null;
  }

  private Measurement.Plan plan(Workload workload, List<String> flags) {
    return new Measurement.Plan(
        workload,
        allocators.names(),
        transport,
        eventLoops,
        connections,
        tool(workload, ToolLoad.systemPath()),
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(warmup),
        flags);
  }

  Load load(Measurement.Plan plan) {
    return new Load(
        plan.workload().name(),
        plan.workload().description(),
        plan.tool() == null ? "own client" : plan.tool().program(),
        jvms,
        seconds,
        warmup,
        connections,
        transport.optionName(),
        eventLoops);
  }

  @Override
  public Integer call() throws Exception {
    if (!transport.isAvailable()) {
      throw misuse("--transport " + transport.optionName() + " is not available on this system");
    }
    List<String> flags = ServerProcess.defaultFlags();
    List<Measurement.Plan> plans =
        workloads.all().stream().map(workload -> plan(workload, flags)).toList();
    List<Load> loads = new ArrayList<>();
    List<Round> rounds = new ArrayList<>();
    EndToEndResults results = new EndToEndResults(Setup.here(flags), loads, rounds);
    boolean complete = run(plans, results, Progress.onStandardError());
    out().println(new EndToEndReport(results).document().text());
    out().println("Results for the report command: " + output);
    int code = report(rounds, err());
    return complete ? code : 1;
  }

  /**
   * Measures all applications. If a server of one fails, goes on with the next application. Writes
   * the results after each round, because a long run may be interrupted.
   *
   * @return whether all rounds are complete
   * @throws IOException if there are no results
   */
  private boolean run(List<Measurement.Plan> plans, EndToEndResults results, Progress progress)
      throws IOException, InterruptedException {
    Duration planned =
        plans.stream().map(plan -> plan.time(jvms)).reduce(Duration.ZERO, Duration::plus);
    left = planned;
    List<IOException> failures = new ArrayList<>();
    try {
      for (Measurement.Plan plan : plans) {
        results.loads().add(load(plan));
        for (int round = 0; round < jvms; round++) {
          try {
            results.rounds().addAll(measurement(plan, round, progress).round(round));
          } catch (IOException e) {
            failures.add(new IOException(round(plan, round) + ": " + e.getMessage(), e));
            break;
          }
          EndToEndResults.FORMAT.write(output, results);
        }
        planned = planned.minus(plan.time(jvms));
        left = planned; // that of rounds after a failure, too, is over
      }
    } finally {
      progress.done();
    }
    if (failures.isEmpty()) {
      return true;
    }
    if (results.rounds().isEmpty()) {
      failures.subList(1, failures.size()).forEach(failures.get(0)::addSuppressed);
      throw failures.get(0);
    }
    EndToEndResults.FORMAT.write(output, results); // also the loads of which there is no round
    failures.forEach(failure -> err().println("end-to-end: " + failure.getMessage()));
    return false;
  }

  private Measurement measurement(Measurement.Plan plan, int round, Progress progress) {
    String which = round(plan, round);
    return new Measurement(
        plan,
        (allocator, load, time) -> {
          progress.show(which + ", " + allocator + ", " + load, left);
          left = left.minus(time);
        });
  }

  private String round(Measurement.Plan plan, int round) {
    return "%s, round %d of %d".formatted(plan.workload().name(), round + 1, jvms);
  }

  /** Reports loads with errors. Their figures are not valid results. */
  static int report(List<Round> rounds, PrintWriter err) {
    List<Round> failed = rounds.stream().filter(Round::hasErrors).toList();
    for (Round round : failed) {
      Measured wrong = round.closed().errors() > 0 ? round.closed() : round.fixed();
      err.println(
          "end-to-end: %s, round %d, %s: %d errors; the first: %s"
              .formatted(
                  round.workload(),
                  round.round() + 1,
                  round.allocator(),
                  round.errors(),
                  wrong.firstError()));
    }
    return failed.isEmpty() ? 0 : 1;
  }
}
