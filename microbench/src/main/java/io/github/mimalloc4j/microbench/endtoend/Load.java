package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Puts a server under load: connections that stay open, each with one request at a time. */
@FunctionalInterface
interface Load {
  /**
   * Loads a server.
   *
   * @param server where it answers, without a path
   * @param connections how many to keep open
   * @param time how long; whole seconds
   * @throws IOException if there is nothing to report, because the load could not be made
   */
  LoadResult run(URI server, int connections, Duration time)
      throws IOException, InterruptedException;

  /**
   * How long after the end of its time a load may take to end: h2load was seen to wait for ever for
   * a connection that was not yet made at the end of its time.
   */
  Duration PATIENCE = Duration.ofSeconds(30);

  /** Threads that a load uses: they share the processors with the server. */
  static int threads(int connections) {
    return Math.min(connections, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  /** Runs a program that makes the load; its output and its errors together are the result. */
  static String run(List<String> command, Duration time) throws IOException, InterruptedException {
    try (ChildProcess program = ChildProcess.start(command.get(0), command, line -> false)) {
      return program.awaitSuccess(time.plus(PATIENCE)).strip();
    }
  }

  /** A command: words that single spaces separate, then arguments that may contain spaces. */
  static List<String> words(String words, String... others) {
    return Stream.concat(Stream.of(words.split(" ", -1)), Stream.of(others)).toList();
  }
}
