package io.github.mimalloc4j.microbench.command;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;

/** Shows the progress of a command: in one changing line on a terminal, otherwise in many lines. */
public final class Progress {
  /** Wide enough to overwrite any earlier text in the line. */
  private static final String LINE = "\r%-78s";

  private final PrintStream out;
  private final boolean terminal;

  /** Creates a progress display; only on a terminal does it overwrite its line. */
  public Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Creates a display on standard error, which may be a terminal or not. */
  public static Progress onStandardError() {
    return new Progress(System.err, isTerminal());
  }

  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true; // Before JDK 22, a console implies a terminal.
    }
  }

  /** Shows what the command is doing and an estimate of the time left. */
  public void show(String what, Duration left) {
    String text = what + ", about " + Math.round(left.toMillis() / 1000.0) + " s left";
    if (terminal) {
      out.printf(LINE, text);
      out.flush();
    } else {
      out.println(text);
    }
  }

  /** Clears the line on a terminal. */
  public void done() {
    if (terminal) {
      out.printf(LINE + "\r", "");
      out.flush();
    }
  }
}
