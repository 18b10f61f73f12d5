package io.github.mimalloc4j.microbench.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** What a command did when it was run as a user runs it. */
public record CommandRun(int code, String out, String err) {
  /** Runs a command line. */
  public static CommandRun of(CommandLine line, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
    return new CommandRun(code, out.toString(), err.toString());
  }

  /** Runs a command. */
  public static CommandRun of(AbstractCommand command, String... args) {
    return of(CommandLines.of(command), args);
  }

  /** The lines of the errors. */
  public List<String> errors() {
    return err.lines().toList();
  }
}
