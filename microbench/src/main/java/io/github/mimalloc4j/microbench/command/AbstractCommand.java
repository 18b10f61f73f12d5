package io.github.mimalloc4j.microbench.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Fails if an option names a file that the command reads, which its output would replace. */
  protected static void refuseToOverwrite(Path input, String option, Path output)
      throws IOException {
    if (Files.exists(output) && Files.exists(input) && Files.isSameFile(input, output)) {
      throw new IOException(option + " would overwrite " + input);
    }
  }

  /** Fails if two options name the same output file, of which only one result would remain. */
  protected final void refuseTwice(String option, Path output, String other, Path otherOutput) {
    if (absolute(output).equals(absolute(otherOutput))) {
      throw misuse(option + " and " + other + " name the same file");
    }
  }

  /** Returns the one way to name a file, which need not exist. */
  protected static Path absolute(Path file) {
    return file.toAbsolutePath().normalize();
  }

  /** Returns the exception for an invalid command line. The user sees its message as one line. */
  protected final ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
