package io.github.mimalloc4j.microbench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.function.Predicate;

/** Runs a command to its end and reads what it says. */
public final class ChildOutput {
  private ChildOutput() {}

  /**
   * Starts a process and waits for its end.
   *
   * @param title what errors call it
   * @param command the program and its arguments
   * @param reader is told of each line of its output, and says whether it wanted that; what nobody
   *     wanted becomes the error's text if the process fails
   */
  public static void read(String title, List<String> command, Predicate<String> reader)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    ChildJvm.stopAtExit(process);
    try {
      await(process, title, reader);
    } finally {
      process.destroyForcibly();
    }
  }

  private static void await(Process process, String title, Predicate<String> reader)
      throws IOException, InterruptedException {
    // Kept in memory: nobody wants to read it unless the process fails.
    StringBuilder log = new StringBuilder();
    try (BufferedReader output = process.inputReader(Charset.defaultCharset())) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (!reader.test(line)) {
          log.append(line).append('\n');
        }
      }
    }
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException(
          "the JVM for " + title + " ended with exit code " + exitCode + "\n" + log);
    }
  }
}
