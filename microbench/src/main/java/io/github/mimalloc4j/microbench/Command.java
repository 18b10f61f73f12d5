package io.github.mimalloc4j.microbench;

import java.io.PrintStream;
import java.util.List;

/**
 * A row of {@link Main}'s table of commands.
 *
 * @param name what the user types first
 * @param synopsis the options, as the help shows them
 * @param summary one sentence on what it does
 * @param action what it does
 */
record Command(String name, String synopsis, String summary, Action action) {

  /** The body of a command. */
  @FunctionalInterface
  interface Action {
    /**
     * Runs the command.
     *
     * @param args what followed the command's name
     * @param out for results
     * @param err for progress and errors
     * @return the exit code
     */
    int run(List<String> args, PrintStream out, PrintStream err) throws Exception;
  }

  String usage() {
    return synopsis.isEmpty() ? name : name + " " + synopsis;
  }
}
