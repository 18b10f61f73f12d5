package io.github.mimalloc4j.microbench.command;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command: its options are annotated fields, and {@link #call} returns the exit code. */
@Command(
    synopsisHeading = "usage: ",
    showDefaultValues = true,
    sortOptions = false,
    usageHelpAutoWidth = true)
public abstract class AbstractCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--help", usageHelp = true, description = "Shows this help and exits.")
  private boolean help;

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Returns the exception for an invalid command line. The user sees its message as one line. */
  protected final ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
