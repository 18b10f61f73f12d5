package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Memory;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.result.Setup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code end-to-end}: a real server under load, with one allocator after the other. */
@Command(
    name = "end-to-end",
    description =
        "Loads an HTTP server with each allocator: requests per second, CPU time, latency, memory.")
public final class EndToEndCommand extends AbstractCommand {
  @Option(names = "--allocator", defaultValue = "all", description = "Names with commas, or all.")
  Allocators allocators;

  @Range(min = "1", max = "3600")
  @Option(names = "--seconds", description = "The time of each load.")
  private int seconds = 10;

  @Range(min = "1", max = "1000")
  @Option(names = "--rounds", description = "Loads of each server that count.")
  private int rounds = 5;

  /**
   * A server needs 100,000 requests or more before the processor time of one has settled: the
   * compiler's own time is part of it, and code that is not yet compiled.
   */
  @Range(min = "0", max = "1000")
  @Option(names = "--warmup", description = "Loads of each server before those.")
  private int warmup = 2;

  @Range(min = "1", max = "10000")
  @Option(names = "--connections", description = "Connections at a time.")
  private int connections = 32;

  @Option(
      names = "--load",
      description = "${COMPLETION-CANDIDATES}; wrk or h2load by default where installed, else own.")
  private @Nullable LoadTool load;

  @Option(names = "--tls", description = "Over TLS.")
  private boolean tls;

  @Option(names = "--output", converter = OutputFile.class, defaultValue = "end-to-end.json")
  Path output;

  /**
   * What makes the load.
   *
   * @param path where to look for wrk and h2load, as in the variable of that name
   */
  LoadTool tool(String path) {
    LoadTool tool = load == null ? LoadTool.preferred(path) : load;
    if (!tool.isInstalled(path)) {
      throw misuse("--load " + tool.optionName() + ": not found on the PATH");
    }
    return tool;
  }

  EndToEndResults.Load load(LoadTool tool) {
    return new EndToEndResults.Load(
        tool.optionName(), tool.work, seconds, rounds, warmup, connections, tls);
  }

  @Override
  public Integer call() throws Exception {
    LoadTool tool = tool(LoadTool.systemPath());
    List<String> flags = ServerProcess.defaultFlags();
    List<Round> measured = run(tool, flags, Progress.onStandardError());
    EndToEndResults results = new EndToEndResults(Setup.here(flags), load(tool), measured);
    EndToEndResults.FORMAT.write(output, results);
    out().println(new EndToEndReport(results).document().text());
    out().println("The results, for the command report: " + output);
    return report(measured, err());
  }

  private List<Round> run(LoadTool tool, List<String> flags, Progress progress)
      throws IOException, InterruptedException {
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (AllocatorKind allocator : allocators.kinds()) {
        servers.add(ServerProcess.start(allocator, tls, flags));
      }
      return measure(tool, servers, progress);
    } finally {
      progress.done();
      servers.forEach(ServerProcess::close);
    }
  }

  private List<Round> measure(LoadTool tool, List<ServerProcess> servers, Progress progress)
      throws IOException, InterruptedException {
    List<Round> measured = new ArrayList<>();
    int left = (warmup + rounds) * servers.size();
    for (int round = -warmup; round < rounds; round++) {
      for (ServerProcess server : rotated(servers, round)) {
        String name = server.allocator().optionName();
        String which = round < 0 ? "warm-up" : "round %d of %d".formatted(round + 1, rounds);
        progress.show(which + ", " + name, Duration.ofSeconds((long) seconds * left--));
        Round result = measure(tool, server, round);
        LoadResult found = result.load();
        if (round >= 0) {
          measured.add(result);
        } else if (found.errors() > 0) {
          throw new IOException(
              "%d errors in the warm-up of %s, the first: %s"
                  .formatted(found.errors(), name, found.firstError()));
        }
      }
    }
    return measured;
  }

  /** The order of a round: each goes first in its turn. Rounds below 0 are the warm-up. */
  static <T> List<T> rotated(List<T> all, int round) {
    List<T> order = new ArrayList<>(all);
    Collections.rotate(order, -round);
    return order;
  }

  private Round measure(LoadTool tool, ServerProcess server, int round)
      throws IOException, InterruptedException {
    LoadResult result;
    Optional<Duration> before = server.cpuTime();
    Optional<Duration> after;
    Memory peak;
    try (MemorySampler sampler = new MemorySampler(server::memory)) {
      result = tool.load.run(server.uri(), connections, Duration.ofSeconds(seconds));
      after = server.cpuTime();
      peak = sampler.peak();
    } catch (IOException e) {
      server.requireHealthy(); // Says more if that is the reason.
      throw e;
    }
    server.requireHealthy();
    if (result.requests() == 0 && round >= 0) {
      throw new IOException(
          "no request was answered in %d s by %s: %s"
              .formatted(
                  seconds,
                  server.allocator().optionName(),
                  result.errors() == 0 ? "too short a time" : result.firstError()));
    }
    Double cpuSeconds =
        before.isPresent() && after.isPresent()
            ? after.get().minus(before.get()).toNanos() / 1e9
            : null;
    return new Round(round, server.allocator(), result, cpuSeconds, peak);
  }

  /** Says what went wrong; figures of a load with errors are no result. */
  static int report(List<Round> rounds, PrintWriter err) {
    List<Round> failed = rounds.stream().filter(round -> round.load().errors() > 0).toList();
    for (Round round : failed) {
      err.println(
          "end-to-end: round %d, %s: %d errors, the first: %s"
              .formatted(
                  round.round() + 1,
                  round.allocator().optionName(),
                  round.load().errors(),
                  round.load().firstError()));
    }
    return failed.isEmpty() ? 0 : 1;
  }
}
