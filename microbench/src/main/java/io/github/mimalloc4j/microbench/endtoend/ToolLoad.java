package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.ExternalTool;
import io.github.mimalloc4j.microbench.application.LoadResult;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The loads that other programs make. */
final class ToolLoad {
  /** A program that counts requests may take longer than it should. */
  private static final int TIMES_LONGER = 10;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private ToolLoad() {}

  /** Where this system looks for programs. */
  static String systemPath() {
    return Objects.requireNonNullElse(System.getenv("PATH"), "");
  }

  /**
   * Whether a program is installed.
   *
   * @param path where to look, as in the variable of that name
   */
  static boolean isInstalled(String program, String path) {
    return Stream.of(path.split(File.pathSeparator, -1)).anyMatch(folder -> isIn(folder, program));
  }

  private static boolean isIn(String folder, String program) {
    try {
      return !folder.isEmpty() && Files.isExecutable(Path.of(folder, program));
    } catch (InvalidPathException e) {
      return false; // No folder of this system.
    }
  }

  /**
   * Runs a program.
   *
   * @param port of the server
   * @param expected requests a second, for programs that count them
   * @throws IOException if there is nothing to report, because the load could not be made
   */
  static LoadResult run(
      ExternalTool tool, int port, int connections, int pipelined, double expected, Duration time)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("end-to-end");
    try {
      int seconds = (int) time.toSeconds();
      long requests = Math.max(1, (long) (expected * seconds));
      ExternalTool.Load load =
          new ExternalTool.Load(port, connections, pipelined, seconds, requests, folder);
      return tool.read(output(tool.command(load), time), load);
    } finally {
      delete(folder);
    }
  }

  /** The program's output and its errors together. */
  private static String output(List<String> command, Duration time)
      throws IOException, InterruptedException {
    try (ChildProcess program = ChildProcess.start(command.get(0), command, line -> false)) {
      return program.awaitSuccess(time.multipliedBy(TIMES_LONGER).plus(PATIENCE)).strip();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
