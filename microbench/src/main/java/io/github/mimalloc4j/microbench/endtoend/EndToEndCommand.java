package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.Progress;
import io.github.mimalloc4j.microbench.Setup;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;

/** The command {@code end-to-end}: a real server under load, with one allocator after the other. */
public final class EndToEndCommand {
  /** The command's options. */
  public static final String SYNOPSIS = EndToEndOptions.SYNOPSIS;

  /** What it does. */
  public static final String SUMMARY =
      "Loads an HTTP server with each allocator: requests per second, CPU time, latency, memory."
          + " --seconds is for each load; wrk or h2load is used if installed.";

  private EndToEndCommand() {}

  /** Runs the command. */
  public static int run(List<String> args, PrintStream out, PrintStream err) throws Exception {
    EndToEndOptions options = EndToEndOptions.parse(args, LoadTool.systemPath());
    List<String> flags = ServerProcess.defaultFlags();
    List<Round> rounds = EndToEndRun.run(options, flags, Progress.onStandardError());
    EndToEndResults results =
        new EndToEndResults(Setup.here(flags), LoadDescription.of(options), rounds);
    Files.writeString(options.output(), results.toJson());

    EndToEndReport report = new EndToEndReport(results);
    report.tables().forEach(table -> out.println(table.toMarkdown()));
    report.notes().forEach(out::println);
    out.println();
    results.setup().lines().forEach(out::println);
    out.println("The results, for the command report: " + options.output());
    return report(rounds, err);
  }

  /** Says what went wrong; figures of a load with errors are no result. */
  static int report(List<Round> rounds, PrintStream err) {
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
