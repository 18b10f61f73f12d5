package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.result.Setup;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  private Allocators allocators;

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
  private Path output;

  /**
   * What the user asked for.
   *
   * @param path where to look for wrk and h2load, as in the variable of that name
   */
  EndToEndOptions options(String path) {
    LoadTool tool = load == null ? LoadTool.preferred(path) : load;
    if (!tool.isInstalled(path)) {
      throw misuse("--load " + tool.optionName() + ": not found on the PATH");
    }
    return new EndToEndOptions(
        allocators.kinds(),
        Duration.ofSeconds(seconds),
        rounds,
        warmup,
        connections,
        tool,
        tls,
        output);
  }

  @Override
  public Integer call() throws Exception {
    EndToEndOptions options = options(LoadTool.systemPath());
    List<String> flags = ServerProcess.defaultFlags();
    List<Round> measured = EndToEndRun.run(options, flags, Progress.onStandardError());
    EndToEndResults results =
        new EndToEndResults(Setup.here(flags), LoadDescription.of(options), measured);
    EndToEndResults.FORMAT.write(output, results);
    out().println(new EndToEndReport(results).document().text());
    out().println("The results, for the command report: " + output);
    return report(measured, err());
  }

  /** Says what went wrong; figures of a load with errors are no result. */
  static int report(List<Round> rounds, PrintWriter err) {
    int exitCode = 0;
    for (Round round : rounds) {
      LoadResult load = round.load();
      if (load.errors() > 0) {
        err.println(
            "end-to-end: round %d, %s: %d errors, the first: %s"
                .formatted(
                    round.round() + 1,
                    round.allocator().optionName(),
                    load.errors(),
                    load.firstError()));
        exitCode = 1;
      }
    }
    return exitCode;
  }
}
