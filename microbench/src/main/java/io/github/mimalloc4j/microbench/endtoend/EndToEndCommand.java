package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.ExternalTool;
import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.NamedAllocator;
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

/** The command {@code end-to-end}: real servers under load, with one allocator after the other. */
@Command(
    name = "end-to-end",
    description = {
      "Loads real servers with each allocator: CPU time, garbage and memory of a request, requests",
      "a second, and latency at a fixed rate."
    })
public final class EndToEndCommand extends AbstractCommand {
  /** Who makes the load of the closed loop. */
  enum LoadBy {
    /** Our client, which checks all answers. */
    OWN,
    /** A program of others. */
    TOOL
  }

  @Option(
      names = "--app",
      converter = WorkloadOption.Converter.class,
      defaultValue = "plaintext:pipelined",
      description = "NAME or NAME:VARIANT, several with commas, or all.")
  WorkloadOption workloads;

  @Option(
      names = "--allocator",
      defaultValue = "all",
      description = "Names or classes with commas, or all: mimalloc,adaptive,pooled.")
  NamedAllocator.Several allocators;

  /** A JVM is one sample: what its compiler inlined by chance lasts as long as it runs. */
  @Range(min = "1", max = "1000")
  @Option(names = "--jvms", description = "Fresh JVMs for each allocator, in turns.")
  int jvms = 5;

  @Range(min = "1", max = "3600")
  @Option(names = "--seconds", description = "The time of each load.")
  int seconds = 10;

  /**
   * A server needs 100,000 requests or more before the processor time of one has settled: code that
   * is not yet compiled is part of it.
   */
  @Range(min = "1", max = "3600")
  @Option(
      names = "--warmup",
      description = {
        "Most seconds of load before those, in each JVM: until its compilers rest (if the system",
        "tells, as Linux does)."
      })
  int warmup = 15;

  @Range(min = "1", max = "10000")
  @Option(names = "--connections", description = "Connections at a time.")
  int connections = 32;

  @Option(names = "--transport", description = "${COMPLETION-CANDIDATES}: the server's.")
  Transport transport = Transport.NIO;

  @Range(min = "1", max = "1024")
  @Option(names = "--event-loops", description = "Event loops of the server.")
  int eventLoops = 1;

  @Option(
      names = "--load",
      description = {
        "${COMPLETION-CANDIDATES}; by default a tool (wrk, redis-benchmark, h2load) where one is",
        "installed that can make the load, else our own client."
      })
  private @Nullable LoadBy load;

  @Option(names = "--output", converter = OutputFile.class, defaultValue = "end-to-end.json")
  Path output;

  /**
   * What makes the load of the closed loop; null for our client.
   *
   * @param path where to look for programs, as in the variable of that name
   */
  @Nullable ExternalTool tool(Workload workload, String path) {
    if (load == LoadBy.OWN) {
      return null;
    }
    @Nullable ExternalTool tool = ToolLoad.installed(workload.tools(), path).orElse(null);
    if (load == LoadBy.TOOL && tool == null) {
      List<String> programs = workload.tools().stream().map(ExternalTool::program).toList();
      throw misuse(
          "--load tool: "
              + (programs.isEmpty()
                  ? "there is none for " + workload.name()
                  : "not found on the PATH, for " + workload.name() + ": " + programs));
    }
    return tool;
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
      throw misuse("--transport " + transport.optionName() + " does not work on this system");
    }
    List<String> flags = ServerProcess.defaultFlags();
    List<Measurement.Plan> plans =
        workloads.all().stream().map(workload -> plan(workload, flags)).toList();
    EndToEndResults results = run(plans, Setup.here(flags), Progress.onStandardError());
    out().println(new EndToEndReport(results).document().text());
    out().println("The results, for the command report: " + output);
    return report(results.rounds(), err());
  }

  /** Writes the results after each round: all takes hours, and may be interrupted. */
  private EndToEndResults run(List<Measurement.Plan> plans, Setup setup, Progress progress)
      throws IOException, InterruptedException {
    List<Load> loads = new ArrayList<>();
    List<Round> rounds = new ArrayList<>();
    EndToEndResults results = new EndToEndResults(setup, loads, rounds);
    Countdown left = new Countdown(plans);
    try {
      for (Measurement.Plan plan : plans) {
        loads.add(load(plan));
        for (int round = 0; round < jvms; round++) {
          String which = "%s, round %d of %d, ".formatted(plan.workload().name(), round + 1, jvms);
          Measurement.Listener listener =
              (allocator, load, time) ->
                  progress.show(which + allocator + ", " + load, left.next(time));
          rounds.addAll(new Measurement(plan, listener).round(round));
          results = new EndToEndResults(setup, List.copyOf(loads), List.copyOf(rounds));
          EndToEndResults.FORMAT.write(output, results);
        }
      }
    } finally {
      progress.done();
    }
    return results;
  }

  /** The time of the loads that are to come. */
  private final class Countdown {
    private Duration left;

    Countdown(List<Measurement.Plan> plans) {
      left = plans.stream().map(plan -> plan.time(jvms)).reduce(Duration.ZERO, Duration::plus);
    }

    /** Begins a load of some time, and tells what was left before. */
    Duration next(Duration time) {
      Duration before = left;
      left = left.minus(time);
      return before;
    }
  }

  /** Says what went wrong; figures of a load with errors are no result. */
  static int report(List<Round> rounds, PrintWriter err) {
    List<Round> failed = rounds.stream().filter(Round::hasErrors).toList();
    for (Round round : failed) {
      Measured wrong = round.closed().errors() > 0 ? round.closed() : round.fixed();
      err.println(
          "end-to-end: %s, round %d, %s: %d errors, the first: %s"
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
