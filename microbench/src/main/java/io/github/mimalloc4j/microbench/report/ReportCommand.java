package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.CommandLine;
import io.github.mimalloc4j.microbench.UsageException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The command {@code report}: results as a page and as a table. */
public final class ReportCommand {
  /** The command's options. */
  public static final String SYNOPSIS = "results.json... [--output report.html]";

  /** What it does. */
  public static final String SUMMARY =
      "Makes a web page of results of JMH (-rf json -rff results.json) and of latency, end-to-end"
          + " and footprint, and prints their tables.";

  private ReportCommand() {}

  /** Runs the command. */
  public static int run(List<String> args, PrintStream out, PrintStream err) throws Exception {
    CommandLine line = CommandLine.parseWithOperands(args, Set.of("--output"), Set.of());
    ResultFiles files = ResultFiles.read(paths(line.operands()));
    Path output = line.outputFile("--output", "report.html");
    Report report = new Report(files);
    Files.writeString(output, report.html());
    out.print(report.text());
    out.println("The same with charts: " + output);
    return 0;
  }

  private static List<Path> paths(List<String> operands) throws UsageException {
    if (operands.isEmpty()) {
      throw new UsageException("no files of results are given");
    }
    List<Path> paths = new ArrayList<>();
    for (String operand : operands) {
      try {
        Path path = Path.of(operand);
        if (paths.contains(path)) {
          throw new UsageException(operand + " is given twice");
        }
        paths.add(path);
      } catch (InvalidPathException e) {
        throw new UsageException(operand + " is no name of a file");
      }
    }
    return paths;
  }
}
