package io.github.mimalloc4j.microbench.command;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;

/** Tells how far a command is: in one line that changes, or line by line off a terminal. */
public final class Progress {
  /** Wide enough to wipe out any earlier text of the same line. */
  private static final String LINE = "\r%-78s";

  private final PrintStream out;
  private final boolean terminal;

  /** On a terminal a line can change. */
  public Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Shows the progress on standard error, in the way that suits it. */
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
      return true; // Before JDK 22 there is a console only where there is a terminal.
    }
  }

  /** Shows what the command is doing, with a guess of the time that it still needs. */
  public void show(String what, Duration left) {
    String text = what + ", about " + Math.round(left.toMillis() / 1000.0) + " s left";
    if (terminal) {
      out.printf(LINE, text);
      out.flush();
    } else {
      out.println(text);
    }
  }

  /** Leaves the terminal's line empty for what comes next. */
  public void done() {
    if (terminal) {
      out.printf(LINE + "\r", "");
      out.flush();
    }
  }
}
