package io.github.mimalloc4j.microbench.application;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A program of others that loads a server in a closed loop, where it is installed. It checks less
 * than our clients do, and in turn it costs less processor time.
 */
public interface ExternalTool {
  /**
   * What a program is to do.
   *
   * @param port of the server, on the loopback address
   * @param connections that stay open
   * @param pipelined requests under way on each of them
   * @param seconds how long; a program that counts requests instead sends {@code requests}
   * @param requests about as many as the server answers in that time
   * @param folder for files that the program reads and writes, empty before
   */
  record Load(int port, int connections, int pipelined, int seconds, long requests, Path folder) {}

  /** How many threads a load should have: they share the processors with the server. */
  static int threads(int connections) {
    return Math.min(connections, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  /** The program, as it is called on the PATH. */
  String program();

  /**
   * The command line, the program's name first.
   *
   * @throws IOException if a file that the program needs cannot be written
   */
  List<String> command(Load load) throws IOException;

  /**
   * Reads what the program wrote to its standard output and error. Errors are answers that were
   * none, as far as the program looks.
   *
   * @throws IOException if that is not as expected; the message has the output
   */
  LoadResult read(String output, Load load) throws IOException;
}
