package io.github.mimalloc4j.microbench;

import io.github.mimalloc4j.microbench.command.CommandLines;
import io.github.mimalloc4j.microbench.compare.CompareCommand;
import io.github.mimalloc4j.microbench.endtoend.ApplicationServerCommand;
import io.github.mimalloc4j.microbench.endtoend.EndToEndCommand;
import io.github.mimalloc4j.microbench.footprint.FootprintCommand;
import io.github.mimalloc4j.microbench.latency.LatencyCommand;
import io.github.mimalloc4j.microbench.replay.RecordCommand;
import io.github.mimalloc4j.microbench.replay.ReplayCommand;
import io.github.mimalloc4j.microbench.report.ReportCommand;
import io.github.mimalloc4j.microbench.soak.SoakCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;

/** Entry point of the benchmark jar: runs its commands, and JMH for all other arguments. */
@Command(
    name = "microbench",
    usageHelpAutoWidth = true,
    synopsisHeading = "usage: ",
    customSynopsis = {
      "java -jar microbench.jar COMMAND [OPTION...]",
      "       java -jar microbench.jar JMH-ARGUMENT..."
    },
    commandListHeading = "%n",
    footer = {
      "",
      "Run COMMAND --help for the options of a command.",
      "All other arguments go to JMH: -l lists the benchmarks, -h shows JMH's options, and",
      "  AllocationPatternBenchmark -p allocator=MIMALLOC,POOLED -p live=1024",
      "runs one benchmark."
    },
    subcommands = {
      CompareCommand.class,
      FootprintCommand.class,
      EndToEndCommand.class,
      ApplicationServerCommand.class,
      LatencyCommand.class,
      SoakCommand.class,
      RecordCommand.class,
      ReplayCommand.class,
      ReportCommand.class,
      HelpCommand.class
    })
public final class Main {
  private static final String HELP = "--help";

  @Option(names = HELP, usageHelp = true, hidden = true)
  private boolean help;

  private Main() {}

  /** Runs the command named by the first argument, or JMH. */
  public static void main(String[] args) throws Exception {
    CommandLine line = commandLine();
    if (!isOurs(line, args)) {
      JmhCommand.run(args, System.err);
      return;
    }
    int code = line.execute(args.length == 0 ? new String[] {HELP} : args);
    line.getOut().flush();
    if (code != 0) {
      System.exit(code);
    }
  }

  static CommandLine commandLine() {
    return CommandLines.of(new Main());
  }

  /** Returns whether the arguments are for one of our commands rather than for JMH. */
  static boolean isOurs(CommandLine line, String... args) {
    return args.length == 0 || args[0].equals(HELP) || line.getSubcommands().containsKey(args[0]);
  }
}
