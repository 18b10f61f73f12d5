package io.github.mimalloc4j.microbench;

import io.github.mimalloc4j.microbench.endtoend.EndToEndCommand;
import io.github.mimalloc4j.microbench.footprint.FootprintCommand;
import io.github.mimalloc4j.microbench.latency.LatencyCommand;
import io.github.mimalloc4j.microbench.report.ReportCommand;
import io.github.mimalloc4j.microbench.soak.SoakCommand;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of the benchmark jar: commands of our own, and JMH for everything else.
 *
 * <p>Exit codes: 0 success, 1 the command failed, 2 the command line makes no sense.
 */
public final class Main {
  private static final int FAILED = 1;
  private static final int BAD_USAGE = 2;

  private static final List<Command> COMMANDS =
      List.of(
          new Command(
              "compare", CompareCommand.SYNOPSIS, CompareCommand.SUMMARY, CompareCommand::run),
          new Command(
              "http-server",
              HttpServerCommand.SYNOPSIS,
              HttpServerCommand.SUMMARY,
              HttpServerCommand::run),
          new Command(
              "footprint",
              FootprintCommand.SYNOPSIS,
              FootprintCommand.SUMMARY,
              FootprintCommand::run),
          new Command(
              "end-to-end",
              EndToEndCommand.SYNOPSIS,
              EndToEndCommand.SUMMARY,
              EndToEndCommand::run),
          new Command(
              "latency", LatencyCommand.SYNOPSIS, LatencyCommand.SUMMARY, LatencyCommand::run),
          new Command("soak", SoakCommand.SYNOPSIS, SoakCommand.SUMMARY, SoakCommand::run),
          new Command("report", ReportCommand.SYNOPSIS, ReportCommand.SUMMARY, ReportCommand::run),
          new Command("help", "", "Prints this text.", Main::help));

  private Main() {}

  /**
   * Runs the command that the first argument names, or JMH.
   *
   * @param args a command and its options, or arguments for JMH
   */
  public static void main(String[] args) throws Exception {
    List<String> words = args.length == 0 ? List.of("help") : Arrays.asList(args);
    @Nullable Command command = find(words.get(0));
    if (command == null) {
      JmhCommand.run(args, System.err);
      return;
    }
    int code = run(command, words.subList(1, words.size()), System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** Finds a command by what the user typed; null if it is none of ours. */
  static @Nullable Command find(String word) {
    String name = word.equals("--help") ? "help" : word;
    for (Command command : COMMANDS) {
      if (command.name().equals(name)) {
        return command;
      }
    }
    return null;
  }

  /** Runs a command and turns its failures into one line and an exit code. */
  static int run(Command command, List<String> args, PrintStream out, PrintStream err) {
    if (args.contains("--help")) {
      out.println("usage: " + command.usage());
      out.println(command.summary());
      return 0;
    }
    try {
      return command.action().run(args, out, err);
    } catch (UsageException e) {
      err.println(command.name() + ": " + e.getMessage() + " (usage: " + command.usage() + ")");
      return BAD_USAGE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } catch (Exception e) {
      err.println(command.name() + ": " + (e.getMessage() == null ? e : e.getMessage()));
      return FAILED;
    }
  }

  private static int help(List<String> args, PrintStream out, PrintStream err)
      throws UsageException {
    if (!args.isEmpty()) {
      throw new UsageException("unexpected argument " + args.get(0));
    }
    out.println("usage: java -jar microbench.jar COMMAND [OPTION...]");
    out.println("       java -jar microbench.jar JMH-ARGUMENT...");
    out.println();
    for (Command command : COMMANDS) {
      out.println("  " + command.usage());
      out.println("      " + command.summary());
    }
    out.println();
    out.println("Anything else goes to JMH: -l lists the benchmarks, -h shows its options, and");
    out.println("  AllocationPatternBenchmark -p allocator=MIMALLOC,POOLED -p live=1024");
    out.println("runs one of them.");
    return 0;
  }
}
