package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.Environment;
import io.github.mimalloc4j.microbench.Progress;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
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
    List<String> environment = Environment.machine();
    Files.writeString(options.output(), EndToEndJson.render(options, environment, flags, rounds));

    out.println(EndToEndTable.render(rounds));
    describe(options, flags).forEach(out::println);
    environment.forEach(out::println);
    out.println("The same as JSON: " + options.output());
    return report(rounds, err);
  }

  private static List<String> describe(EndToEndOptions options, List<String> flags) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Load: %s, %d connections%s, %d rounds of %d s after %d of warm-up"
            .formatted(
                options.tool().optionName(),
                options.connections(),
                options.tls() ? " over TLS" : "",
                options.rounds(),
                options.time().toSeconds(),
                options.warmup()));
    lines.add("  " + options.tool().work());
    lines.add("Flags of the servers' JVMs: " + String.join(" ", flags));
    return lines;
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
